package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.FileName;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.jspecify.annotations.Nullable;

/** Looks up one step of a path. That there is no such entry is an answer too, and may be cached. */
public final class LookupOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;
    private final Leases leases;

    public LookupOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        leases = state.leases();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Lookup lookup = request.body().getLookup();
        Inode directory = resolver.directory(lookup.getParent());
        Permissions.check(directory, request.caller(), Permissions.EXECUTE);
        Inode inode = find(directory, lookup.getName());
        if (inode != null) {
            leases.requireNothingHeldBack(request.clearance(), inode);
        }
        reply.setEntryLeased(leases.grantDirectory(request.session(), directory));
        if (inode == null) {
            reply.setFailure(Resolver.noEntry(directory).toFailure());
        } else {
            reply.setNode(nodes.of(inode, request.session()));
        }
    }

    private @Nullable Inode find(Inode directory, ByteString name) {
        if (name.equals(FileName.DOT)) {
            return directory;
        }
        if (name.equals(FileName.DOT_DOT)) {
            return directory.directory().parent();
        }
        Dentry entry = resolver.find(directory, name);
        return entry == null ? null : entry.inode();
    }
}
