package org.beefs.queenbee.operations.name;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As link(2). */
public final class LinkOperation implements Operation {
    /** Names that one inode may have, as on ext4. */
    public static final int MAX_LINKS = 65_000;

    private final Resolver resolver;
    private final InodeMaker maker;
    private final Nodes nodes;
    private final Mutator mutator;

    public LinkOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        maker = new InodeMaker(state);
        nodes = new Nodes(state);
        mutator = state.mutator();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Link link = request.body().getLink();
        Inode inode = resolver.inode(link.getInode());
        Inode parent = maker.checkedParent(link.getParent(), link.getName(), request);
        check(inode);
        mutator.change(
                request.clearance(),
                new Mutation.AddLink(
                        parent.number(),
                        link.getName(),
                        parent.directory().nextCookie(),
                        inode.number(),
                        request.now()));
        reply.setNode(nodes.of(inode, request.session()));
    }

    private static void check(Inode inode) {
        if (inode.isDirectory()) {
            throw new PosixException(Errno.EPERM, "directories have one name");
        }
        if (inode.links() == 0 && !inode.linkable()) {
            throw new PosixException(Errno.ENOENT, "inode " + inode.number() + " was removed");
        }
        if (inode.links() >= MAX_LINKS) {
            throw new PosixException(Errno.EMLINK, "inode " + inode.number() + " has " + MAX_LINKS + " names");
        }
    }
}
