package org.beefs.honeycomb.disk;

import org.beefs.common.linux.Inodes;

/**
 * Space of the file system that the honeycomb's folder is on, in bytes.
 *
 * @param total its size
 * @param free what an ordinary user may still take
 * @param inodes how many files it takes
 */
public record DiskSpace(long total, long free, Inodes inodes) {}
