package org.beefs.queenbee.session;

/**
 * One open of a file by a session.
 *
 * @param sequence of the request that opened it, or {@link #REASSERTED}
 */
public record OpenHandle(long inode, boolean write, long sequence) {
    /** The sequence of an open that the session itself reported. */
    public static final long REASSERTED = 0;
}
