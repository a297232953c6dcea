package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;

/**
 * Values that were fixed before the request is carried out: by the desktop (decided change), or by its first execution
 * (repeated after a power loss).
 *
 * @param inode number of the new inode; 0 when that is free to choose
 * @param honeycomb UUID of the one that takes the new file; empty when that is free to choose
 * @param epoch of the new file there
 */
public record Choice(long inode, ByteString honeycomb, long epoch) {
    public static final Choice NONE = new Choice(0, ByteString.EMPTY, 0);
}
