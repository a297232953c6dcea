package org.beefs.queenbee.operations.attribute;

import org.beefs.common.wire.CheckAccess;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As access(2). */
public final class CheckAccessOperation implements Operation {
    private final Resolver resolver;

    public CheckAccessOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        CheckAccess check = request.body().getCheckAccess();
        Permissions.check(resolver.inode(check.getInode()), request.caller(), check.getMask() & 7);
    }
}
