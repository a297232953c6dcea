package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;

/**
 * What a change has to make as somebody chose it before: a desktop that decided the change, or the queen-bee herself
 * when she made it before a loss of power.
 *
 * @param inode number of the new inode; 0 when that is free to choose
 * @param honeycomb UUID of the one that takes the new file; empty when that is free to choose
 * @param epoch of the new file there
 */
public record Choice(long inode, ByteString honeycomb, long epoch) {
    public static final Choice NONE = new Choice(0, ByteString.EMPTY, 0);
}
