package org.beefs.queenbee.operations.attribute;

import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As fstat(2): by number, so that no permission is needed. */
public final class GetAttributesOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;
    private final Leases leases;

    public GetAttributesOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        leases = state.leases();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Inode inode = resolver.inode(request.body().getGetAttributes().getInode());
        leases.requireNothingHeldBack(request.clearance(), inode);
        reply.setNode(nodes.withAllReplicas(inode, request.session()));
    }
}
