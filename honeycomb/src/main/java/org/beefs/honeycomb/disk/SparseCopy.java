package org.beefs.honeycomb.disk;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/**
 * Copies content of a file that nobody changes meanwhile. Holes stay holes; file systems that can share blocks do so.
 */
public final class SparseCopy {
    private SparseCopy() {}

    /**
     * Copies a range into the same range of another file, where there is a hole or nothing. The other file becomes no
     * longer than its last data.
     */
    public static void copy(ReplicaFile from, ReplicaFile to, long offset, long length) {
        long end = offset + length;
        for (long data = nextData(from, offset, end); data < end; ) {
            long hole = Math.min(end, from.seek(data, true));
            if (to.copyAll(from, data, data, hole - data) < hole - data) {
                throw new PosixException(Errno.EIO, from + " became shorter while it was copied");
            }
            data = nextData(from, hole, end);
        }
    }

    /** Where data goes on, but the end at most. */
    public static long nextData(ReplicaFile from, long offset, long end) {
        if (offset >= end) {
            return end;
        }
        try {
            return Math.min(end, from.seek(offset, false));
        } catch (PosixException e) {
            if (e.errno() == Errno.ENXIO) {
                return end;
            }
            throw e;
        }
    }
}
