package org.beefs.queenbee.console.model.snapshot;

/**
 * A file with fewer current replicas than it should have.
 *
 * @param written whether somebody may be writing it, so that its copies follow later
 */
public record LackingFile(String path, long inode, long size, int current, long wanted, boolean written) {}
