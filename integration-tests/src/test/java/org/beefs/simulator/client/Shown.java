package org.beefs.simulator.client;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;

/** What was seen, for people, and the same in each replay. */
final class Shown {
    private static final int LONGEST_TEXT = 20;

    private Shown() {}

    static String of(Object seen) {
        return switch (seen) {
            case Attributes attributes -> attributes(attributes);
            case OpenedFile opened -> "handle %d".formatted(opened.handle());
            case ByteString bytes -> bytes(bytes);
            case Map<?, ?> entries ->
                entries.entrySet().stream()
                        .map(entry -> of(entry.getKey()) + "=" + entry.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
            case Collection<?> values ->
                values.stream().map(Shown::of).sorted().collect(Collectors.joining(", ", "[", "]"));
            default -> seen.toString();
        };
    }

    private static String bytes(ByteString bytes) {
        return bytes.size() <= LONGEST_TEXT
                ? bytes.toStringUtf8()
                : "%d bytes, hash %08x".formatted(bytes.size(), bytes.hashCode());
    }

    private static String attributes(Attributes attributes) {
        return "inode %d mode %o links %d owner %d:%d size %d mtime %s"
                .formatted(
                        attributes.getInode(),
                        attributes.getMode(),
                        attributes.getLinks(),
                        attributes.getUid(),
                        attributes.getGid(),
                        attributes.getSize(),
                        Timestamps.toInstant(attributes.getMtime()));
    }
}
