package org.beefs.honeybee.jnr;

import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;

/** Which inode each open handle of the mount belongs to: libfuse passes handles only. Thread-safe. */
final class HandleInodes {
    private final ConcurrentHashMap<Long, Long> inodes = new ConcurrentHashMap<>();

    void opened(long handle, long inode) {
        inodes.put(handle, inode);
    }

    void closed(long handle) {
        inodes.remove(handle);
    }

    long inodeOf(long handle) {
        Long inode = inodes.get(handle);
        if (inode == null) {
            throw new PosixException(Errno.EBADF, "the file is not open");
        }
        return inode;
    }
}
