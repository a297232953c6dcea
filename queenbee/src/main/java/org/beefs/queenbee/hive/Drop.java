package org.beefs.queenbee.hive;

import org.beefs.common.wire.ReplicaName;

/** A replica that has to go, because its file is gone. */
public record Drop(long inode, int generation, long epoch) {
    ReplicaName toName() {
        return ReplicaName.newBuilder()
                .setInode(inode)
                .setGeneration(generation)
                .setEpoch(epoch)
                .build();
    }
}
