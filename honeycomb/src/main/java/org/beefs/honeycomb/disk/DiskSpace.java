package org.beefs.honeycomb.disk;

/**
 * Space of the file system that the honeycomb's folder is on, in bytes.
 *
 * @param total its size
 * @param free what an ordinary user may still take
 */
public record DiskSpace(long total, long free) {}
