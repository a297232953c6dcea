package org.beefs.queenbee.operations.attribute;

import com.google.protobuf.ByteString;
import java.util.List;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.SetXattr;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Xattrs;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.replication.Replication;
import org.jspecify.annotations.Nullable;

/** As setxattr(2). For access control lists create and replace do not count, as in Linux. */
public final class SetXattrOperation implements Operation {
    private static final int MAX_VALUE = 65_536;

    private final QueenState state;
    private final Resolver resolver;
    private final Mutator mutator;
    private final ReplicationXattrs settings;
    private final Replication replication;
    private final HereXattr here;

    public SetXattrOperation(QueenState state) {
        this.state = state;
        resolver = new Resolver(state.namespace());
        mutator = state.mutator();
        settings = new ReplicationXattrs(state);
        replication = state.replication();
        here = new HereXattr(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        SetXattr set = request.body().getSetXattr();
        if (set.getValue().size() > MAX_VALUE) {
            throw new PosixException(Errno.E2BIG, "the value of an attribute has at most 65536 bytes");
        }
        // Of what is removed and still open nothing else is remembered.
        Inode inode = set.getName().equals(AccessControlList.ACCESS)
                ? resolver.inode(set.getInode())
                : resolver.existing(set.getInode());
        if (HereXattr.isName(set.getName())) {
            here.set(inode, set.getValue(), request.caller(), request.session());
            return;
        }
        if (ReplicationXattrs.isName(set.getName())) {
            mutator.change(
                    request.clearance(),
                    settings.setting(inode, set.getName(), set.getValue(), request.caller(), request.now()));
            replication.upkeep().changed(inode);
            return;
        }
        ByteString old = inode.xattr(set.getName());
        List<Mutation> changes;
        if (AccessControlList.isName(set.getName())) {
            changes =
                    AccessControlChanges.setting(inode, set.getName(), set.getValue(), request.caller(), request.now());
        } else {
            XattrAccess.checkWrite(inode, set.getName(), request.caller());
            checkPresence(set, old);
            changes = List.of(new Mutation.SetXattr(inode.number(), set.getName(), set.getValue(), request.now()));
        }
        checkTotal(set, inode.xattrs(), old);
        state.requireMemory(request);
        mutator.change(request.clearance(), inode, changes);
    }

    private static void checkPresence(SetXattr set, @Nullable ByteString old) {
        if (set.getCreate() && old != null) {
            throw new PosixException(Errno.EEXIST, "the attribute exists");
        }
        if (set.getReplace() && old == null) {
            throw XattrAccess.absent();
        }
    }

    private static void checkTotal(SetXattr set, @Nullable Xattrs present, @Nullable ByteString old) {
        int total = present == null ? 0 : present.total();
        int replaced = old == null ? 0 : set.getName().size() + old.size();
        if (total - replaced + set.getName().size() + set.getValue().size() > Xattrs.MAX_TOTAL) {
            throw new PosixException(Errno.ENOSPC, "an inode has at most 1 MiB of attributes");
        }
    }
}
