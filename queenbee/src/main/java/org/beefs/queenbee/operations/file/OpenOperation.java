package org.beefs.queenbee.operations.file;

import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.content.Contents;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As open(2) of a regular file that is there. */
public final class OpenOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;
    private final Contents contents;

    public OpenOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        contents = state.contents();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Open open = request.body().getOpen();
        contents.checkRoom(request.session());
        Inode inode = resolver.existing(open.getInode());
        OpenChecks.checkType(inode);
        OpenChecks.checkAccess(inode, request.caller(), open.getRead(), open.getWrite(), open.getExecute());
        if (open.getPassthrough()) {
            contents.awaitReturn(request.clearance(), request.session(), inode);
        }
        contents.open(
                request.clearance(),
                request.session(),
                inode,
                open.getHandle(),
                open.getWrite(),
                request.body().getSequence());
        reply.setNode(nodes.opened(inode, request.session(), open.getWrite()).toBuilder()
                .setWriteLeased(open.getWrite() && contents.grantWriting(request.session(), inode)));
    }
}
