package org.beefs.queenbee.operations;

import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Permissions;

/** One step of a path. */
final class LookupOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;

    LookupOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state.honeycombs());
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Lookup lookup = request.body().getLookup();
        Inode directory = resolver.directory(lookup.getParent());
        Permissions.check(directory, request.caller(), Permissions.EXECUTE);
        reply.setNode(nodes.of(find(directory, lookup), request.session()));
    }

    private Inode find(Inode directory, Lookup lookup) {
        if (lookup.getName().equals(Names.DOT)) {
            return directory;
        }
        if (lookup.getName().equals(Names.DOT_DOT)) {
            return directory.directory().parent();
        }
        return resolver.entry(directory, lookup.getName()).inode();
    }
}
