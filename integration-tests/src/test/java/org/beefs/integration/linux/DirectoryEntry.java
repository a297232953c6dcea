package org.beefs.integration.linux;

/**
 * One entry as readdir tells it.
 *
 * @param inode d_ino
 * @param type d_type, one of DT_*; 0 is unknown
 * @param name of the entry, with "." and ".."
 */
public record DirectoryEntry(long inode, int type, String name) {}
