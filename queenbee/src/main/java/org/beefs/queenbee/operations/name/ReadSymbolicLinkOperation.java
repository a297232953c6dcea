package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As readlink(2); needs no permission on the link. */
public final class ReadSymbolicLinkOperation implements Operation {
    private final Resolver resolver;

    public ReadSymbolicLinkOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Inode inode = resolver.inode(request.body().getReadSymbolicLink().getInode());
        if (!inode.isSymbolicLink()) {
            throw new PosixException(Errno.EINVAL, "inode " + inode.number() + " is no symbolic link");
        }
        reply.setTarget(ByteString.copyFrom(inode.target()));
    }
}
