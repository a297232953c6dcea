package org.beefs.queenbee.operations.attribute;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.wire.GetXattr;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As getxattr(2). */
public final class GetXattrOperation implements Operation {
    private final Resolver resolver;
    private final ReplicationXattrs replication;
    private final HereXattr here;

    public GetXattrOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        replication = new ReplicationXattrs(state);
        here = new HereXattr(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        GetXattr get = request.body().getGetXattr();
        Inode inode = resolver.inode(get.getInode());
        if (AccessControlList.isName(get.getName())) {
            reply.setXattr(list(inode, get.getName()));
            return;
        }
        if (HereXattr.isName(get.getName())) {
            reply.setXattr(here.get(inode, request.session()));
            return;
        }
        if (ReplicationXattrs.isName(get.getName())) {
            reply.setXattr(replication.get(inode, get.getName()));
            return;
        }
        XattrAccess.checkRead(inode, get.getName(), request.caller());
        ByteString value = inode.xattr(get.getName());
        if (value == null) {
            throw XattrAccess.absent();
        }
        reply.setXattr(value);
    }

    private static ByteString list(Inode inode, ByteString name) {
        ByteString list = name.equals(AccessControlList.ACCESS) ? inode.accessList() : inode.defaultList();
        if (list.isEmpty()) {
            throw XattrAccess.absent();
        }
        return list;
    }
}
