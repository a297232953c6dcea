package org.beefs.simulator.model;

import com.google.protobuf.ByteString;

/**
 * What nobody has made who uses the hive: a conflict copy, or the directory of those whose file has no name.
 *
 * @param directory number of the directory that it is in
 */
public record Appeared(long directory, ByteString name, Sight sight) {
    /** Whether it is the name of such a one. Programs use other ones. */
    public static boolean isNameOfOne(ByteString name) {
        String text = name.toStringUtf8();
        return text.contains(".conflict-desktop") || text.startsWith("lost+found");
    }
}
