package org.beefs.queenbee.operations.attribute;

import com.google.protobuf.ByteString;
import java.util.List;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.RemoveXattr;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.replication.Replication;

/** As removexattr(2). */
public final class RemoveXattrOperation implements Operation {
    private final Resolver resolver;
    private final Mutator mutator;
    private final ReplicationXattrs settings;
    private final Replication replication;

    public RemoveXattrOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        mutator = state.mutator();
        settings = new ReplicationXattrs(state);
        replication = state.replication();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        RemoveXattr remove = request.body().getRemoveXattr();
        Inode inode = resolver.inode(remove.getInode());
        if (ReplicationXattrs.isName(remove.getName())) {
            mutator.change(
                    request.clearance(),
                    settings.removing(
                            resolver.existing(remove.getInode()), remove.getName(), request.caller(), request.now()));
            replication.upkeep().changed(inode);
            return;
        }
        List<Mutation> changes = AccessControlList.isName(remove.getName())
                ? AccessControlChanges.removing(inode, remove.getName(), request.caller(), request.now())
                : removing(inode, remove.getName(), request);
        mutator.change(request.clearance(), inode, changes);
    }

    private static List<Mutation> removing(Inode inode, ByteString name, Request request) {
        XattrAccess.checkWrite(inode, name, request.caller());
        if (inode.xattr(name) == null) {
            throw XattrAccess.absent();
        }
        return List.of(new Mutation.RemoveXattr(inode.number(), name, request.now()));
    }
}
