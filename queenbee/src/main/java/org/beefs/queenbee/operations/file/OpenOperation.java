package org.beefs.queenbee.operations.file;

import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.session.Session;

/** As open(2) of a regular file that is there. */
public final class OpenOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;
    private final Opens opens;

    public OpenOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        opens = state.opens();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Open open = request.body().getOpen();
        Session session = request.session();
        long sequence = request.body().getSequence();
        Inode inode = resolver.existing(open.getInode());
        if (!opens.hasBegun(session, open.getHandle(), sequence)) {
            opens.checkRoom(session);
            OpenChecks.checkType(inode);
            OpenChecks.checkAccess(inode, request.caller(), open.getRead(), open.getWrite(), open.getExecute());
        }
        if (open.getPassthrough()) {
            opens.awaitReturn(request.clearance(), session, inode);
        }
        if (open.getWrite()) {
            opens.open(request.clearance(), session, inode, open.getHandle(), true, sequence);
        } else {
            opens.openToRead(request.clearance(), session, inode, open.getHandle(), sequence);
        }
        reply.setNode(nodes.opened(inode, request.session(), open.getWrite()).toBuilder()
                .setWriteLeased(open.getWrite() && opens.grantWriting(request.session(), inode)));
    }

    @Override
    public Opened opened(QueenRequest request, QueenReply answer) {
        return new Opened(request.getOpen().getHandle(), request.getOpen().getWrite());
    }
}
