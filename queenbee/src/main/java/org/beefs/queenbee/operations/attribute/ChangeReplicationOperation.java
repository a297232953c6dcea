package org.beefs.queenbee.operations.attribute;

import org.beefs.common.wire.ChangeReplication;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.replication.Replication;

/** An administrator changes how a file is replicated, without a mount. */
public final class ChangeReplicationOperation implements Operation {
    private final Resolver resolver;
    private final Mutator mutator;
    private final ReplicationXattrs settings;
    private final Replication replication;

    public ChangeReplicationOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        mutator = state.mutator();
        settings = new ReplicationXattrs(state);
        replication = state.replication();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        ChangeReplication change = request.body().getChangeReplication();
        Inode inode = resolver.existing(change.getInode());
        Mutation mutation = change.hasValue()
                ? settings.setting(inode, change.getName(), change.getValue(), Caller.ROOT, request.now())
                : settings.removing(inode, change.getName(), Caller.ROOT, request.now());
        mutator.change(request.clearance(), mutation);
        replication.upkeep().changed(inode);
    }
}
