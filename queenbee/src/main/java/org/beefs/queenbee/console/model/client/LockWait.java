package org.beefs.queenbee.console.model.client;

/**
 * A program that waits for a lock on a file.
 *
 * @param kind {@code record} (fcntl) or {@code flock}
 * @param desktop where it runs
 * @param pid of its process there
 * @param holder desktop of one who is in the way; empty when nobody is any more
 * @param holderPid of its process there; 0 when nobody is
 */
public record LockWait(String path, long inode, String kind, String desktop, int pid, String holder, int holderPid) {}
