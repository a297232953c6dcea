package org.beefs.queenbee.hive;

import org.beefs.common.wire.ReplicaName;

/** A replica that a honeycomb is to remove: its file is gone, or no longer has it there. */
public record Drop(long inode, int generation, long epoch) {
    ReplicaName toName() {
        return ReplicaName.newBuilder()
                .setInode(inode)
                .setGeneration(generation)
                .setEpoch(epoch)
                .build();
    }
}
