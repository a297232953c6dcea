package org.beefs.integration.walk;

import java.util.stream.IntStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Posix;

/** What SEEK_DATA and SEEK_HOLE may say from an offset: a hole holds zeros only, but zeros need not be a hole. */
record Holes(Content content, int offset) {

    Object predicted() {
        if (offset >= content.size()) {
            throw new PosixException(Errno.ENXIO, "beyond the end");
        }
        return Operation.DONE;
    }

    Object performSeekData(int fd) {
        try {
            int found = (int) Posix.seek(fd, offset, Posix.SEEK_DATA);
            require(isZero(offset, found), "data was left out before " + found);
        } catch (PosixException e) {
            if (e.errno() != Errno.ENXIO || !isZero(offset, content.size())) {
                throw e;
            }
        }
        return predicted();
    }

    Object performSeekHole(int fd) {
        int found = (int) Posix.seek(fd, offset, Posix.SEEK_HOLE);
        require(found >= offset && found <= content.size(), "there is no hole at " + found);
        require(isZero(found, Math.min(found + 1, content.size())), "data and no hole at " + found);
        return Operation.DONE;
    }

    private boolean isZero(int from, int to) {
        return IntStream.range(0, to - from).noneMatch(i -> content.read(from + i, 1)[0] != 0);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
