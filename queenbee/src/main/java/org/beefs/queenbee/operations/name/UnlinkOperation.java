package org.beefs.queenbee.operations.name;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.Unlink;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As unlink(2). */
public final class UnlinkOperation implements Operation {
    private final Resolver resolver;
    private final Mutator mutator;
    private final LeftFiles leftFiles;

    public UnlinkOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        mutator = state.mutator();
        leftFiles = state.leftFiles();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Unlink unlink = request.body().getUnlink();
        if (FileName.isDots(unlink.getName())) {
            throw new PosixException(Errno.EISDIR, "directories are removed by rmdir");
        }
        Inode parent = resolver.directory(unlink.getParent());
        Permissions.check(parent, request.caller(), Permissions.EXECUTE);
        Inode inode = resolver.entry(parent, unlink.getName()).inode();
        RemovalChecks.checkFile(parent, inode, request.caller());
        mutator.change(request.clearance(), new Mutation.RemoveLink(parent.number(), unlink.getName(), request.now()));
        leftFiles.unlinked(inode);
        reply.addNamed(inode.number()).setStillNamed(inode.links() > 0);
    }
}
