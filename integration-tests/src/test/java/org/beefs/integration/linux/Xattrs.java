package org.beefs.integration.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** System calls on the extended attributes of what a path leads to. Thread-safe. */
public final class Xattrs {
    private static final int LARGEST = 64 * 1024;

    private static final SystemCall SET = SystemCall.ofInt("setxattr", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final SystemCall GET = SystemCall.ofLong("getxattr", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);
    private static final SystemCall LIST = SystemCall.ofLong("listxattr", ADDRESS, ADDRESS, JAVA_LONG);
    private static final SystemCall REMOVE = SystemCall.ofInt("removexattr", ADDRESS, ADDRESS);

    private Xattrs() {}

    public static void set(Path path, String name, byte[] value) {
        try (Arena arena = Arena.ofConfined()) {
            SET.call(
                    Posix.text(arena, path),
                    arena.allocateFrom(name),
                    Posix.bytes(arena, value),
                    (long) value.length,
                    0);
        }
    }

    public static byte[] get(Path path, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(LARGEST);
            long length = GET.call(Posix.text(arena, path), arena.allocateFrom(name), value, value.byteSize());
            return value.asSlice(0, length).toArray(JAVA_BYTE);
        }
    }

    public static List<String> list(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment names = arena.allocate(LARGEST);
            long length = LIST.call(Posix.text(arena, path), names, names.byteSize());
            String all = new String(names.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
            return Arrays.stream(all.split("\0", -1))
                    .filter(name -> !name.isEmpty())
                    .toList();
        }
    }

    public static void remove(Path path, String name) {
        try (Arena arena = Arena.ofConfined()) {
            REMOVE.call(Posix.text(arena, path), arena.allocateFrom(name));
        }
    }
}
