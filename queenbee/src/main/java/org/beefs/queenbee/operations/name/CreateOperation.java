package org.beefs.queenbee.operations.name;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Delegations;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.operations.file.OpenChecks;

/** As open(2) with O_CREAT: makes a file and opens it, or opens the one that is there. */
public final class CreateOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;
    private final InodeMaker maker;
    private final Opens opens;
    private final Leases leases;
    private final Delegations delegations;

    public CreateOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        maker = new InodeMaker(state);
        opens = state.opens();
        leases = state.leases();
        delegations = new Delegations(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Create create = request.body().getCreate();
        opens.checkRoom(request.session());
        Inode parent = resolver.directory(create.getParent());
        Permissions.check(parent, request.caller(), Permissions.EXECUTE);
        Dentry entry = resolver.find(parent, create.getName());
        if (entry != null) {
            checkExisting(create, entry.inode(), request);
        }
        Inode inode = entry == null ? make(create, parent, request) : entry.inode();
        boolean write = writes(create);
        opens.open(
                request.clearance(),
                request.session(),
                inode,
                create.getHandle(),
                write,
                request.body().getSequence());
        reply.setNode(nodes.opened(inode, request.session(), write).toBuilder()
                .setCreated(entry == null)
                .setDelegated(entry == null && delegations.grantWithin(parent, request, inode))
                .setWriteLeased(write && opens.grantWriting(request.session(), inode)));
        reply.setEntryLeased(leases.grantDirectory(request.session(), parent));
    }

    @Override
    public Opened opened(QueenRequest request, QueenReply answer) {
        return new Opened(request.getCreate().getHandle(), writes(request.getCreate()));
    }

    private Inode make(Create create, Inode parent, Request request) {
        if (FileName.isDots(create.getName())) {
            throw new PosixException(Errno.EEXIST, "'.' and '..' are in each directory");
        }
        maker.checkParent(parent, request);
        int mode = FileMode.REGULAR | (create.getMode() & FileMode.PERMISSIONS);
        InodeMaker.NewFile file = new InodeMaker.NewFile(mode, create.getUmask(), 0, writes(create));
        return maker.file(parent, create.getName(), file, request);
    }

    private static void checkExisting(Create create, Inode inode, Request request) {
        if (create.getExclusive()) {
            throw new PosixException(Errno.EEXIST, "the name exists");
        }
        OpenChecks.checkType(inode);
        OpenChecks.checkAccess(inode, request.caller(), create.getRead(), writes(create), false);
    }

    private static boolean writes(Create create) {
        return create.getWrite() || create.getTruncate();
    }
}
