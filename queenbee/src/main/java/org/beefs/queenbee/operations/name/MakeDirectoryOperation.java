package org.beefs.queenbee.operations;

import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Inode;

/** As mkdir(2). */
final class MakeDirectoryOperation implements Operation {
    private final Birth birth;
    private final Nodes nodes;
    private final Leases leases;
    private final Delegations delegations;

    MakeDirectoryOperation(QueenState state) {
        birth = new Birth(state);
        nodes = new Nodes(state);
        leases = state.leases();
        delegations = new Delegations(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        MakeDirectory make = request.body().getMakeDirectory();
        Inode parent = birth.checkedParent(make.getParent(), make.getName(), request.caller());
        Inode directory = birth.directory(parent, make.getName(), make.getMode(), make.getUmask(), request);
        reply.setNode(nodes.of(directory, request.session()).toBuilder()
                .setEntriesLeased(leases.grantDirectory(request.session(), directory))
                .setDelegated(delegations.grant(request, directory)));
    }
}
