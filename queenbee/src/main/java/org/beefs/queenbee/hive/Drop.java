package org.beefs.queenbee.hive;

import org.beefs.common.wire.ReplicaName;

/**
 * A replica that a honeycomb is to remove: its file is gone, or no longer has it there.
 *
 * @param change the journal sequence of that decision; 0 when it was on disk at the start
 */
public record Drop(long inode, int generation, long epoch, long change) {
    ReplicaName toName() {
        return ReplicaName.newBuilder()
                .setInode(inode)
                .setGeneration(generation)
                .setEpoch(epoch)
                .build();
    }
}
