package org.beefs.queenbee.operations.file;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.Observations;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.Release;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.session.OpenHandle;
import org.beefs.queenbee.session.Session;

/**
 * Ends an open. A handle that is not known was released before: that is no failure, because releases are sent again.
 * Whoever makes the file clean by it learns its size and times. What the desktop has read whole may stay there.
 */
public final class ReleaseOperation implements Operation {
    private final Namespace namespace;
    private final Opens opens;
    private final Nodes nodes;
    private final QueenState state;

    public ReleaseOperation(QueenState state) {
        this.state = state;
        namespace = state.namespace();
        opens = state.opens();
        nodes = new Nodes(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Release release = request.body().getRelease();
        if (!Observations.isPossible(release.getStatus())) {
            throw new PosixException(Errno.EINVAL, "no replica can have such a size");
        }
        Inode inode = namespace.find(release.getInode());
        boolean wasDirty = inode != null && inode.dirty();
        boolean wasRead = release.getReadWhole() && hadOpen(request.session(), release) && !state.isReadOnly();
        opens.release(request.session(), release.getHandle(), release.hasStatus() ? release.getStatus() : null);
        if (inode != null && wasDirty && !inode.dirty()) {
            reply.setNode(nodes.of(inode, request.session()));
        }
        if (inode != null && wasRead) {
            state.honeycombs()
                    .servedBy(request.session())
                    .ifPresent(reader -> state.replication().readWhole(inode, reader));
        }
    }

    private static boolean hadOpen(Session session, Release release) {
        OpenHandle handle = session.handles().get(release.getHandle());
        return handle != null && handle.inode() == release.getInode();
    }
}
