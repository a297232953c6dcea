package org.beefs.integration.walk;

import org.beefs.integration.linux.Posix;
import org.beefs.integration.walk.Node.Content;

/**
 * A descriptor that the walk holds.
 *
 * @param fd of this process
 * @param flags with which it was opened
 * @param content what it leads to, also when that has no name any more
 * @param opened mount and path, for messages
 */
record OpenFile(int fd, int flags, Content content, String opened) {
    private static final int ACCESS_MODE = 3;

    boolean isReadable() {
        return (flags & ACCESS_MODE) != Posix.O_WRONLY;
    }

    boolean isWritable() {
        return (flags & ACCESS_MODE) != Posix.O_RDONLY;
    }

    boolean appends() {
        return (flags & Posix.O_APPEND) != 0;
    }

    @Override
    public String toString() {
        return "descriptor " + fd + " of " + opened;
    }
}
