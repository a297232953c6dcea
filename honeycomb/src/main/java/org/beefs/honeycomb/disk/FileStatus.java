package org.beefs.honeycomb.disk;

import org.beefs.common.wire.Timestamp;

/**
 * What stat(2) says of a replica file.
 *
 * @param size in bytes
 * @param blocks space taken, in blocks of 512 bytes
 */
public record FileStatus(long size, long blocks, Timestamp atime, Timestamp mtime, Timestamp ctime) {
    /** Bytes. */
    public static final long BLOCK = 512;

    /** Bytes that it takes. */
    public long allocated() {
        return blocks * BLOCK;
    }
}
