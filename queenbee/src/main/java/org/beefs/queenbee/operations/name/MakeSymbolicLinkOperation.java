package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.MakeSymbolicLink;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** As symlink(2). */
public final class MakeSymbolicLinkOperation implements Operation {
    private static final int MAX_TARGET = 4095;

    private final InodeMaker maker;
    private final Nodes nodes;

    public MakeSymbolicLinkOperation(QueenState state) {
        maker = new InodeMaker(state);
        nodes = new Nodes(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        MakeSymbolicLink make = request.body().getMakeSymbolicLink();
        checkTarget(make.getTarget());
        Inode parent = maker.checkedParent(make.getParent(), make.getName(), request);
        Inode link = maker.symbolicLink(parent, make.getName(), make.getTarget(), request);
        reply.setNode(nodes.of(link, request.session()));
    }

    private static void checkTarget(ByteString target) {
        if (target.isEmpty()) {
            throw new PosixException(Errno.ENOENT, "a symbolic link needs a target");
        }
        if (target.size() > MAX_TARGET) {
            throw new PosixException(Errno.ENAMETOOLONG, "a symbolic link's target has at most 4095 bytes");
        }
    }
}
