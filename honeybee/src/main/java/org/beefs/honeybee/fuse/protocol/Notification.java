package org.beefs.honeybee.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Lays out messages to the kernel that answer no request; each method answers the message's length. */
public final class Notification {
    private static final int HEADER = 16;

    /** Length of the longest message. */
    public static final int INVAL_INODE = HEADER + 24;

    private static final long NO_PAGES = -1;

    private Notification() {}

    /** Entries that were answered before are not used without asking again. */
    public static int increaseEpoch(MemorySegment message) {
        return header(message, Protocol.NOTIFY_INC_EPOCH, HEADER);
    }

    /** The inode's attributes are not used without asking again. */
    public static int invalidateAttributes(MemorySegment message, long inode) {
        return invalidate(message, inode, NO_PAGES);
    }

    /**
     * As {@link #invalidateAttributes}, and the inode's pages go; writing this waits until those that are being read
     * are there.
     */
    public static int invalidatePages(MemorySegment message, long inode) {
        return invalidate(message, inode, 0);
    }

    /**
     * {@code struct fuse_notify_inval_inode_out}: from that offset on, where a negative one stands for no pages, to the
     * end.
     */
    private static int invalidate(MemorySegment message, long inode, long offset) {
        message.set(JAVA_LONG_UNALIGNED, HEADER, inode);
        message.set(JAVA_LONG_UNALIGNED, HEADER + 8, offset);
        message.set(JAVA_LONG_UNALIGNED, HEADER + 16, 0);
        return header(message, Protocol.NOTIFY_INVAL_INODE, INVAL_INODE);
    }

    /** A message is an answer to request 0. */
    private static int header(MemorySegment message, int code, int length) {
        message.set(JAVA_INT_UNALIGNED, 0, length);
        message.set(JAVA_INT_UNALIGNED, 4, code);
        message.set(JAVA_LONG_UNALIGNED, 8, 0);
        return length;
    }
}
