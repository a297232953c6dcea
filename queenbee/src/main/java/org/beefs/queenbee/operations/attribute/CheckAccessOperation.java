package org.beefs.queenbee.operations;

import org.beefs.common.wire.CheckAccess;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Permissions;

/** As access(2). */
final class CheckAccessOperation implements Operation {
    private final Resolver resolver;

    CheckAccessOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        CheckAccess check = request.body().getCheckAccess();
        Permissions.check(resolver.inode(check.getInode()), request.caller(), check.getMask() & 7);
    }
}
