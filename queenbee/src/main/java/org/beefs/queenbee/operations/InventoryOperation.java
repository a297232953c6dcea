package org.beefs.queenbee.operations;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what a honeycomb holds with what it should hold. */
final class InventoryOperation implements Operation {
    private static final Logger LOG = LoggerFactory.getLogger(InventoryOperation.class);
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
            if (!belongs(replica, honeycomb)) {
                drop.addReplicas(replica);
            }
        }
        reply.setDrop(drop);
    }

    private boolean belongs(ReplicaName replica, Honeycomb honeycomb) {
        if (replica.getInode()
                > Math.max(state.namespace().highest(), state.numbering().base())) {
            // Somebody numbered it who was not this queen-bee: perhaps its state was restored from an old copy.
            LOG.warn("{} keeps a replica of the unknown inode {}", honeycomb.desktop(), replica.getInode());
            return true;
        }
        Inode inode = state.namespace().find(replica.getInode());
        return inode != null
                && inode.isRegular()
                && inode.honeycomb() == honeycomb.number()
                && inode.generation() == replica.getGeneration();
    }
}
