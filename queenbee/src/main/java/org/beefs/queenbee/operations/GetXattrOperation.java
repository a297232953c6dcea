package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.GetXattr;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Xattrs;

/** As getxattr(2). */
final class GetXattrOperation implements Operation {
    private final Resolver resolver;

    GetXattrOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        GetXattr get = request.body().getGetXattr();
        Inode inode = resolver.inode(get.getInode());
        XattrAccess.checkRead(inode, get.getName(), request.caller());
        Xattrs xattrs = inode.xattrs();
        ByteString value = xattrs == null ? null : xattrs.get(get.getName());
        if (value == null) {
            throw XattrAccess.absent();
        }
        reply.setXattr(value);
    }
}
