package org.beefs.queenbee.operations.name;

import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.CreateUnnamed;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As open(2) with O_TMPFILE: makes a file without a name and opens it. */
public final class CreateUnnamedOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;
    private final InodeMaker maker;
    private final Opens opens;

    public CreateUnnamedOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        maker = new InodeMaker(state);
        opens = state.opens();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        CreateUnnamed create = request.body().getCreateUnnamed();
        opens.checkRoom(request.session());
        Inode parent = resolver.directory(create.getParent());
        Permissions.checkChange(parent, request.caller());
        Resolver.checkAlive(parent);
        int mode = create.getMode() & FileMode.PERMISSIONS;
        InodeMaker.NewFile file = new InodeMaker.NewFile(mode, create.getUmask(), 0, true);
        Inode inode = maker.unnamed(parent, file, create.getLinkable(), request);
        opens.open(
                request.clearance(),
                request.session(),
                inode,
                create.getHandle(),
                true,
                request.body().getSequence());
        reply.setNode(nodes.opened(inode, request.session(), true).toBuilder().setCreated(true));
    }

    @Override
    public Opened opened(QueenRequest request, QueenReply answer) {
        return new Opened(request.getCreateUnnamed().getHandle(), true);
    }
}
