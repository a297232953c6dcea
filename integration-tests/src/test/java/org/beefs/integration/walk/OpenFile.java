package org.beefs.integration.walk;

import org.beefs.integration.linux.Posix;

/**
 * A descriptor that the walk holds.
 *
 * @param root through whose mount it was opened
 * @param fd of this process
 * @param flags with which it was opened
 * @param content what it leads to, also when that has no name any more
 * @param path that it had then, for messages
 */
record OpenFile(View root, int fd, int flags, Content content, String path) {
    Mount mount() {
        return root.mount();
    }

    boolean isReadable() {
        return (flags & Posix.O_ACCMODE) != Posix.O_WRONLY;
    }

    boolean isWritable() {
        return (flags & Posix.O_ACCMODE) != Posix.O_RDONLY;
    }

    boolean appends() {
        return (flags & Posix.O_APPEND) != 0;
    }

    /** With O_DIRECT the kernel takes whole blocks only. */
    boolean isDirect() {
        return (flags & Posix.O_DIRECT) != 0;
    }

    /** The offset or length as this descriptor takes it. */
    int aligned(int position) {
        return isDirect() ? position - position % NewBytes.BLOCK : position;
    }

    @Override
    public String toString() {
        return "descriptor " + fd + " of " + mount().name() + ":" + path;
    }
}
