package org.beefs.queenbee.operations.name;

import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Delegations;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** As mkdir(2). */
public final class MakeDirectoryOperation implements Operation {
    private final InodeMaker maker;
    private final Nodes nodes;
    private final Leases leases;
    private final Delegations delegations;

    public MakeDirectoryOperation(QueenState state) {
        maker = new InodeMaker(state);
        nodes = new Nodes(state);
        leases = state.leases();
        delegations = new Delegations(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        MakeDirectory make = request.body().getMakeDirectory();
        Inode parent = maker.checkedParent(make.getParent(), make.getName(), request);
        Inode directory = maker.directory(parent, make.getName(), make.getMode(), make.getUmask(), request);
        reply.setNode(nodes.of(directory, request.session()).toBuilder()
                .setEntriesLeased(leases.grantDirectory(request.session(), directory))
                .setDelegated(delegations.grant(request, directory)));
    }
}
