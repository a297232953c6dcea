package org.beefs.common.posix;

import com.google.protobuf.ByteString;
import java.util.stream.Stream;

/** Names of the extended attributes that an inode may have, as xattr(7) says, access control lists apart. */
public final class XattrNames {
    public static final ByteString USER = ByteString.copyFromUtf8("user.");
    public static final ByteString TRUSTED = ByteString.copyFromUtf8("trusted.");
    public static final ByteString SECURITY = ByteString.copyFromUtf8("security.");

    /** Bytes of the longest name. */
    public static final int LONGEST = 255;

    private XattrNames() {}

    /** Whether an inode may have an attribute of that name. */
    public static boolean mayBe(ByteString name) {
        return name.size() <= LONGEST
                && Stream.of(USER, TRUSTED, SECURITY)
                        .anyMatch(namespace -> name.startsWith(namespace) && name.size() > namespace.size());
    }
}
