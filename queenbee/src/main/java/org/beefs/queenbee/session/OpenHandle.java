package org.beefs.queenbee.session;

/**
 * One open of a file by a session.
 *
 * @param sequence of the request that opened it, or 0 when the session itself reported it
 */
public record OpenHandle(long inode, boolean write, long sequence) {}
