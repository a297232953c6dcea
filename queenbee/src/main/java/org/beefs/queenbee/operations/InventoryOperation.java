package org.beefs.queenbee.operations;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;

/**
 * Compares what a honeycomb holds with what it should hold. Removed is only what belongs to a file that this hive has made and
 * removed. What it does not know may be the only copy of something that it has lost.
 */
final class InventoryOperation implements Operation {
    private static final int MAX_REPLICAS = 10_000;

    private final QueenState state;

    InventoryOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        if (request.body().getInventory().getReplicasCount() > MAX_REPLICAS) {
            throw new PosixException(Errno.E2BIG, "a page of an inventory has at most 10000 replicas");
        }
        Honeycomb honeycomb = state.honeycombs()
                .servedBy(request.session())
                .orElseThrow(() -> new PosixException(Errno.EINVAL, "the session has no honeycomb"));
        ReplicaNames.Builder drop = ReplicaNames.newBuilder();
        for (ReplicaName replica : request.body().getInventory().getReplicasList()) {
            if (isOfRemovedFile(replica)) {
                drop.addReplicas(replica);
            } else if (!belongs(replica, honeycomb)) {
                honeycomb.unknown().add(replica);
            }
        }
        if (request.body().getInventory().getReplicasCount() == 0) {
            honeycomb.unknown().tell(honeycomb.desktop());
        }
        reply.setDrop(drop);
    }

    private boolean isOfRemovedFile(ReplicaName replica) {
        return state.namespace().find(replica.getInode()) == null
                && state.numbering()
                        .hasIssued(replica.getInode(), state.namespace().highest());
    }

    private boolean belongs(ReplicaName replica, Honeycomb honeycomb) {
        Inode inode = state.namespace().find(replica.getInode());
        return inode != null
                && inode.isRegular()
                && inode.honeycomb() == honeycomb.number()
                && inode.generation() == replica.getGeneration();
    }
}
