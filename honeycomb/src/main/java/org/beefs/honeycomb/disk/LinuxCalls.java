package org.beefs.honeycomb.disk;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.beefs.common.linux.Libc;
import org.beefs.common.linux.OpenNumbers;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;

/** Calls of the C library that fail with {@link PosixException} and go on after a signal. */
@ProductionOnly
final class LinuxCalls {
    static final int O_RDONLY = 0;
    static final int O_RDWR = 02;
    static final int O_CREAT = 0100;
    static final int O_EXCL = 0200;
    static final int O_NOFOLLOW = OpenNumbers.O_NOFOLLOW;
    static final int O_CLOEXEC = 02000000;

    private LinuxCalls() {}

    /** The call that was made, for messages, which are hardly ever needed. */
    private record Doing(String what, Path path) {
        @Override
        public String toString() {
            return what + " " + path;
        }
    }

    /** As open(2). */
    static int open(Path path, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString());
            return check(new Doing("opening", path), () -> Libc.open(name, flags | O_CLOEXEC, mode));
        }
    }

    /** As unlink(2). */
    static void unlink(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString());
            check(new Doing("removing", path), () -> Libc.unlink(name));
        }
    }

    /** As rename(2). */
    static void rename(Path from, Path to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocateFrom(from.toString());
            MemorySegment target = arena.allocateFrom(to.toString());
            check(new Doing("giving a file the name", to), () -> Libc.rename(source, target));
        }
    }

    /** As fsync(2) of a folder. */
    static void syncFolder(Path folder) {
        int fd = open(folder, O_RDONLY, 0);
        try {
            check(new Doing("syncing", folder), () -> Libc.fsync(fd));
        } finally {
            Libc.close(fd);
        }
    }

    /** The result of a call; its failure as an exception; done again when a signal came in between. */
    static int check(Object what, LongSupplier call) {
        return (int) checkLong(what, call);
    }

    static long checkLong(Object what, LongSupplier call) {
        long result;
        do {
            result = call.getAsLong();
        } while (result == -Errno.EINTR.number());
        return check(what, result);
    }

    /** The result of a call that was made; its failure as an exception. */
    static long check(Object what, long result) {
        if (result < 0) {
            throw failed(what, forPrograms(Errno.of((int) -result)));
        }
        return result;
    }

    /**
     * The errno for programs: that this process has too many files open is, for a program, not about its own; and that
     * the folder's file system is gone (FUSE has no daemon) is not that the honeycomb has not begun.
     */
    private static Errno forPrograms(Errno errno) {
        return switch (errno) {
            case EMFILE -> Errno.ENFILE;
            case ENOTCONN -> Errno.EIO;
            default -> errno;
        };
    }

    static PosixException failed(Object what, Errno errno) {
        return new PosixException(errno, what + " failed with " + errno);
    }
}
