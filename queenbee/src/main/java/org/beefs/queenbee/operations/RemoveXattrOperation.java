package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.RemoveXattr;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Xattrs;

/** As removexattr(2). */
final class RemoveXattrOperation implements Operation {
    private final Resolver resolver;
    private final Mutator mutator;

    RemoveXattrOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        mutator = state.mutator();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        RemoveXattr remove = request.body().getRemoveXattr();
        Inode inode = resolver.existing(remove.getInode());
        XattrAccess.checkWrite(inode, remove.getName(), request.caller());
        Xattrs xattrs = inode.xattrs();
        if (xattrs == null || xattrs.get(remove.getName()) == null) {
            throw XattrAccess.absent();
        }
        mutator.change(request.clearance(), new Mutation.RemoveXattr(inode.number(), remove.getName(), request.now()));
    }
}
