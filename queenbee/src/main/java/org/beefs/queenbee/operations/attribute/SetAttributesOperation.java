package org.beefs.queenbee.operations.attribute;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileCapabilities;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetAttributes;
import org.beefs.queenbee.content.LeftFiles;
import org.beefs.queenbee.content.Opens;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.jspecify.annotations.Nullable;

/** As chmod, chown and utimensat together. */
public final class SetAttributesOperation implements Operation {
    private final Resolver resolver;
    private final Nodes nodes;
    private final Mutator mutator;
    private final Opens opens;
    private final LeftFiles leftFiles;
    private final Leases leases;

    public SetAttributesOperation(QueenState state) {
        resolver = new Resolver(state.namespace());
        nodes = new Nodes(state);
        mutator = state.mutator();
        opens = state.opens();
        leftFiles = state.leftFiles();
        leases = state.leases();
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        SetAttributes change = request.body().getSetAttributes();
        Inode inode = resolver.inode(change.getInode());
        check(change, inode, request.caller());
        leases.requireNothingHeldBack(request.clearance(), inode);
        boolean isOpened = setsTime(change)
                && (inode.dirty() || request.body().getDecision().getOpens());
        if (isOpened) {
            opens.checkRoom(request.session());
            opens.requireOpenable(request.clearance(), request.session(), inode, change.getHandle(), true);
        }
        apply(change, inode, request);
        if (isOpened) {
            opens.open(
                    request.clearance(),
                    request.session(),
                    inode,
                    change.getHandle(),
                    true,
                    request.body().getSequence());
        }
        if (isOpened && change.hasMtime() && !change.getMtimeNow()) {
            leftFiles.retimed(inode);
        }
        reply.setNode(nodes.opened(inode, request.session(), isOpened));
    }

    @Override
    public @Nullable Opened opened(QueenRequest request, QueenReply answer) {
        SetAttributes change = request.getSetAttributes();
        boolean isOpened = setsTime(change) && answer.getNode().getLayout().getDirty();
        return isOpened ? new Opened(change.getHandle(), true) : null;
    }

    private static boolean setsTime(SetAttributes change) {
        return change.hasAtime() || change.hasMtime() || change.getAtimeNow() || change.getMtimeNow();
    }

    private static void check(SetAttributes change, Inode inode, Caller caller) {
        if (change.hasUid() || change.hasGid()) {
            Permissions.checkChown(inode, caller, uid(change, inode), gid(change, inode));
        }
        if (change.hasMode()) {
            Permissions.checkOwner(inode, caller);
        }
        if (setsTime(change)) {
            checkTimes(change, inode, caller);
        }
    }

    private static void checkTimes(SetAttributes change, Inode inode, Caller caller) {
        if (inode.isRegular() && change.getHandle() == 0) {
            throw new PosixException(Errno.EINVAL, "whoever sets times names a handle");
        }
        if (!change.getAtimeNow() || !change.getMtimeNow()) {
            Permissions.checkOwner(inode, caller);
        } else if (!caller.owns(inode)) {
            Permissions.check(inode, caller, Permissions.WRITE);
        }
    }

    private void apply(SetAttributes change, Inode inode, Request request) {
        int mode = mode(change, inode, request.caller());
        boolean losesPrivileges =
                change.getClearPrivileges() || ((change.hasUid() || change.hasGid()) && !inode.isDirectory());
        List<Mutation> changes = new ArrayList<>(2);
        if (losesPrivileges && inode.xattr(FileCapabilities.XATTR) != null) {
            changes.add(new Mutation.RemoveXattr(inode.number(), FileCapabilities.XATTR, request.now()));
        }
        boolean onlyClears = change.getClearPrivileges()
                && !change.hasMode()
                && !change.hasUid()
                && !change.hasGid()
                && !setsTime(change);
        if (!onlyClears || mode != inode.mode()) {
            changes.add(new Mutation.ChangeAttributes(
                    inode.number(),
                    mode & FileMode.PERMISSIONS,
                    uid(change, inode),
                    gid(change, inode),
                    atime(change, inode, request.now()),
                    mtime(change, inode, request.now()),
                    request.now()));
        }
        if (!changes.isEmpty()) {
            mutator.change(request.clearance(), inode, changes);
        }
    }

    /** A mode that is set wins over what chown takes from the old one. */
    private static int mode(SetAttributes change, Inode inode, Caller caller) {
        if (change.hasMode()) {
            return Permissions.modeOfChmod(gid(change, inode), caller, change.getMode());
        }
        if (change.hasUid() || change.hasGid()) {
            return Permissions.modeAfterChown(inode, caller);
        }
        return change.getClearPrivileges() ? FileMode.withoutSetIds(inode.mode()) : inode.mode();
    }

    private static int uid(SetAttributes change, Inode inode) {
        return change.hasUid() ? change.getUid() : inode.uid();
    }

    private static int gid(SetAttributes change, Inode inode) {
        return change.hasGid() ? change.getGid() : inode.gid();
    }

    private static long atime(SetAttributes change, Inode inode, long now) {
        if (change.hasAtime()) {
            return PackedTime.of(change.getAtime());
        }
        return change.getAtimeNow() ? now : inode.atime();
    }

    private static long mtime(SetAttributes change, Inode inode, long now) {
        if (change.hasMtime()) {
            return PackedTime.of(change.getMtime());
        }
        return change.getMtimeNow() ? now : inode.mtime();
    }
}
