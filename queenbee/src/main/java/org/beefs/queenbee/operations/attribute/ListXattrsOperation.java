package org.beefs.queenbee.operations.attribute;

import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.XattrNames;
import org.beefs.queenbee.namespace.Xattrs;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As listxattr(2); needs no permission. */
public final class ListXattrsOperation implements Operation {
    private final Resolver resolver;

    public ListXattrsOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Xattrs xattrs =
                resolver.inode(request.body().getListXattrs().getInode()).xattrs();
        XattrNames.Builder names = XattrNames.newBuilder();
        if (xattrs != null) {
            xattrs.names().stream()
                    .filter(name -> XattrAccess.isListed(name, request.caller()))
                    .forEach(names::addNames);
        }
        reply.setXattrNames(names);
    }
}
