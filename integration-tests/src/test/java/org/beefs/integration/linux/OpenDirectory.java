package org.beefs.integration.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A directory that is being listed with getdents, a buffer at a time. For one thread. */
public final class OpenDirectory implements AutoCloseable {
    private static final SystemCall GETDENTS64 = SystemCall.ofLong("getdents64", JAVA_INT, ADDRESS, JAVA_LONG);
    private static final int SEEK_SET = 0;
    private static final int ORDINARY_BUFFER = 32 * 1024;

    private final int fd;

    public OpenDirectory(Path path) {
        this.fd = Posix.open(path, Posix.O_RDONLY | Posix.O_DIRECTORY, 0);
    }

    /** All entries of a directory, with "." and "..". */
    public static List<DirectoryEntry> list(Path path) {
        try (OpenDirectory directory = new OpenDirectory(path)) {
            return directory.list();
        }
    }

    /** A path to what a descriptor of this process leads to, without any names that the kernel would look up. */
    public static Path pathOf(int fd) {
        return Path.of("/proc/self/fd/" + fd);
    }

    /** A path that begins in this directory, wherever that is; an empty one leads to the directory itself. */
    public Path at(String path) {
        return Path.of("/proc/self/fd/" + fd + "/" + (path.isEmpty() ? "." : path));
    }

    public FileStatus status() {
        return Posix.fstat(fd);
    }

    /** All entries that were not listed before, with "." and "..". */
    public List<DirectoryEntry> list() {
        List<DirectoryEntry> all = new ArrayList<>();
        forEachRemaining(ORDINARY_BUFFER, all::add);
        return all;
    }

    /** Listing begins again, as with rewinddir(3). */
    public void rewind() {
        Posix.seek(fd, 0, SEEK_SET);
    }

    /** Lists the rest with a buffer of so many bytes. */
    public void forEachRemaining(int bufferSize, Consumer<DirectoryEntry> consumer) {
        List<DirectoryEntry> some = next(bufferSize);
        while (!some.isEmpty()) {
            some.forEach(consumer);
            some = next(bufferSize);
        }
    }

    /** The entries that fit into a buffer of so many bytes; none at the end. */
    private List<DirectoryEntry> next(int bufferSize) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(bufferSize, 8);
            long filled = GETDENTS64.call(fd, buffer, buffer.byteSize());
            List<DirectoryEntry> entries = new ArrayList<>();
            for (long at = 0; at < filled; at += Short.toUnsignedInt(buffer.get(JAVA_SHORT_UNALIGNED, at + 16))) {
                String name = buffer.getString(at + 19, StandardCharsets.UTF_8);
                entries.add(
                        new DirectoryEntry(buffer.get(JAVA_LONG_UNALIGNED, at), buffer.get(JAVA_BYTE, at + 18), name));
            }
            return entries;
        }
    }

    @Override
    public void close() {
        Posix.close(fd);
    }
}
