package org.beefs.honeybee.filesystem;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/** What lseek(2) answers about files without holes. */
public final class Holes {
    private Holes() {}

    /**
     * Where data, or else the only hole, begins, at or after an offset: the hole begins at the end. Fails with ENXIO
     * beyond the end, and before the beginning.
     */
    public static long none(long size, long offset, boolean hole) {
        if (offset < 0 || offset >= size) {
            throw new PosixException(Errno.ENXIO, "that is not within the file");
        }
        return hole ? size : offset;
    }
}
