package org.beefs.honeycomb.store;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;

/** Copies the content of a file that nobody changes meanwhile. Holes stay holes; shares the blocks where the file system can. */
@ProductionOnly
final class SparseCopy {
    private static final long FICLONE = 0x4004_9409L;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;

    private SparseCopy() {}

    /** Into an empty file, open for writing. */
    static void run(int from, int to, long size, Object what) {
        if (Libc.ioctl(to, FICLONE, MemorySegment.ofAddress(from)) >= 0) {
            return;
        }
        LinuxCalls.check(what, () -> Libc.ftruncate(to, size));
        for (long data = next(from, 0, what); data < size; ) {
            long hole = seek(from, data, SEEK_HOLE, what);
            copy(from, to, data, hole - data, what);
            data = next(from, hole, what);
        }
    }

    /** Where data goes on; beyond any size when there is only a hole. */
    private static long next(int from, long offset, Object what) {
        try {
            return seek(from, offset, SEEK_DATA, what);
        } catch (PosixException e) {
            if (e.errno() == Errno.ENXIO) {
                return Long.MAX_VALUE;
            }
            throw e;
        }
    }

    private static long seek(int fd, long offset, int whence, Object what) {
        return LinuxCalls.checkLong(what, () -> Libc.lseek(fd, offset, whence));
    }

    private static void copy(int from, int to, long offset, long length, Object what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment read = arena.allocateFrom(JAVA_LONG, offset);
            MemorySegment written = arena.allocateFrom(JAVA_LONG, offset);
            for (long left = length; left > 0; ) {
                long part = left;
                long copied = LinuxCalls.checkLong(what, () -> Libc.copyFileRange(from, read, to, written, part));
                if (copied == 0) {
                    throw new PosixException(Errno.EIO, what + " became shorter while it was copied");
                }
                left -= copied;
            }
        }
    }
}
