package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Inode;

/** As readlink(2); needs no permission on the link. */
final class ReadSymbolicLinkOperation implements Operation {
    private final Resolver resolver;

    ReadSymbolicLinkOperation(QueenState state) {
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
