package org.beefs.simulator.model;

import static org.beefs.simulator.model.Actor.WRITE;

import java.time.Instant;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/** chmod, chown, utimensat. */
public final class Changing {
    private Changing() {}

    public static Step mode(Actor actor, long inode, int permissions) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            if (!actor.owns(node)) {
                return Prediction.fails(Errno.EPERM);
            }
            int kept = actor.isRoot() || actor.isIn(node.gid) ? permissions : permissions & ~FileMode.SET_GID;
            ModelNode changed = state.edit(state.nodeNumber(inode));
            changed.mode = (node.mode & FileMode.TYPE_MASK) | kept;
            return Prediction.succeeds(Expected.Inode.of(state.nodeNumber(inode), changed));
        });
    }

    public static Step owner(Actor actor, long inode, @Nullable Integer uid, @Nullable Integer gid) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            boolean mayUid = uid == null || uid == node.uid;
            boolean mayGid = gid == null || gid == node.gid || actor.isIn(gid);
            if (!actor.isRoot() && !(actor.owns(node) && mayUid && mayGid)) {
                return Prediction.fails(Errno.EPERM);
            }
            ModelNode changed = state.edit(state.nodeNumber(inode));
            changed.uid = uid == null ? node.uid : uid;
            changed.gid = gid == null ? node.gid : gid;
            if (!node.isDirectory()) {
                int kept = actor.isRoot() || actor.isIn(node.gid) ? node.mode : node.mode & ~FileMode.SET_GID;
                changed.mode = withoutPrivileges(kept);
            }
            return Prediction.succeeds(Expected.Inode.of(state.nodeNumber(inode), changed));
        });
    }

    /** Sets times; null leaves one, {@link Instant#MAX} stands for now. */
    public static Step times(Actor actor, long inode, @Nullable Instant atime, @Nullable Instant mtime) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            // Write permission suffices only for both times together, and only for now.
            boolean touches = Instant.MAX.equals(atime) && Instant.MAX.equals(mtime);
            if (!actor.owns(node) && !(touches && actor.may(node, WRITE))) {
                return Prediction.fails(touches ? Errno.EACCES : Errno.EPERM);
            }
            ModelNode changed = state.edit(state.nodeNumber(inode));
            boolean exact = call.rules().exactTimes();
            changed.atime = atime == null && exact ? node.atime : isNowOrUnset(atime) || !exact ? null : atime;
            changed.mtime = mtime == null && exact ? node.mtime : isNowOrUnset(mtime) || !exact ? null : mtime;
            return Prediction.succeeds(Expected.Inode.of(state.nodeNumber(inode), changed));
        });
    }

    /** What a change of content by somebody without the privilege does to the mode. */
    public static Step clearPrivileges(long inode) {
        return (state, call) -> {
            clearPrivileges(state, state.nodeNumber(inode));
            return Prediction.succeeds(new Expected.Nothing());
        };
    }

    static void clearPrivileges(ModelState state, long number) {
        ModelNode node = state.node(number);
        if (node != null) {
            state.edit(number).mode = node.mode & ~(FileMode.SET_UID | FileMode.SET_GID);
        }
    }

    private static boolean isNowOrUnset(@Nullable Instant time) {
        return time == null || time.equals(Instant.MAX);
    }

    private static int withoutPrivileges(int mode) {
        int groupBit = (mode & 010) == 0 ? 0 : FileMode.SET_GID;
        return mode & ~FileMode.SET_UID & ~groupBit;
    }
}
