package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** As rmdir(2). */
public final class RemoveDirectoryOperation implements Operation {
    private final Resolver resolver;
    private final Mutator mutator;

    public RemoveDirectoryOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        mutator = state.mutator();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        RemoveDirectory remove = request.body().getRemoveDirectory();
        checkName(remove.getName());
        Inode parent = resolver.directory(remove.getParent());
        Permissions.check(parent, request.caller(), Permissions.EXECUTE);
        Inode directory = resolver.entry(parent, remove.getName()).inode();
        RemovalChecks.checkDirectory(parent, directory, request.caller());
        RemovalChecks.checkEmpty(directory);
        mutator.change(
                request.clearance(), new Mutation.RemoveDirectory(parent.number(), remove.getName(), request.now()));
        reply.addNamed(directory.number());
    }

    private static void checkName(ByteString name) {
        if (name.equals(FileName.DOT)) {
            throw new PosixException(Errno.EINVAL, "a directory cannot be removed as '.'");
        }
        if (name.equals(FileName.DOT_DOT)) {
            throw new PosixException(Errno.ENOTEMPTY, "a directory cannot be removed from inside");
        }
    }
}
