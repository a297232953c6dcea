package org.beefs.queenbee.session;

/**
 * One open of a file by a session.
 *
 * @param sequence of the request that opened it, or {@link #REASSERTED}
 */
public record OpenHandle(long inode, boolean write, long sequence) {
    /** In place of a sequence: the session itself reported it. */
    public static final long REASSERTED = 0;
}
