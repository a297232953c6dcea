package org.beefs.queenbee.console.model.file;

/**
 * A directory on the way from the root to something.
 *
 * @param name empty for the root
 */
public record Above(long inode, String name) {}
