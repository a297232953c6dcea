package org.beefs.simulator.model;

import static org.beefs.simulator.model.Actor.EXECUTE;
import static org.beefs.simulator.model.Actor.WRITE;

import com.google.protobuf.ByteString;
import java.util.EnumSet;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/** Names that come: mkdir, mknod, symlink, creat, link. */
public final class Creation {
    private Creation() {}

    /** Makes an inode with one name; mode has the type. */
    public static Step make(Actor actor, long directory, ByteString name, int mode, ByteString content) {
        return (state, call) -> {
            Set<Errno> errors = placing(state, actor, directory, name);
            if (!errors.isEmpty()) {
                return Prediction.fails(errors);
            }
            return Prediction.succeeds(
                    Expected.Inode.of(call.operation(), add(state, call, actor, directory, name, mode, content)));
        };
    }

    /** Creates a regular file and opens it, or finds what is there and is still to be opened. */
    public static Step create(Actor actor, long directory, ByteString name, int permissions, boolean exclusive) {
        return (state, call) -> {
            Set<Errno> errors = placing(state, actor, directory, name);
            if (!exclusive && errors.contains(Errno.EEXIST)) {
                return found(state, actor, directory, name);
            }
            if (!errors.isEmpty()) {
                return Prediction.fails(errors);
            }
            int mode = FileMode.REGULAR | permissions;
            ModelNode made = add(state, call, actor, directory, name, mode, ByteString.EMPTY);
            state.open(made, call.operation());
            return Prediction.succeeds(Expected.Inode.of(call.operation(), made));
        };
    }

    private static Prediction found(ModelState state, Actor actor, long directory, ByteString name) {
        ModelNode parent = state.existing(state.nodeNumber(directory));
        if (!actor.may(parent, EXECUTE)) {
            return Prediction.fails(Errno.EACCES);
        }
        Long number = parent.entries.get(name);
        if (number == null) {
            throw new IllegalStateException("EEXIST for a name that is not there");
        }
        return Prediction.succeeds(new Expected.Named(number));
    }

    private static ModelNode add(
            ModelState state,
            Step.Call call,
            Actor actor,
            long directory,
            ByteString name,
            int mode,
            ByteString content) {
        long parentNumber = state.nodeNumber(directory);
        ModelNode parent = state.edit(parentNumber);
        boolean inheritsGroup = (parent.mode & FileMode.SET_GID) != 0;
        int gid = inheritsGroup ? parent.gid : actor.credentials().getGid();
        boolean isDirectory = FileMode.isDirectory(mode);
        int inherited = inheritsGroup && isDirectory ? FileMode.SET_GID : 0;
        ModelNode made = new ModelNode(mode | inherited, actor.credentials().getUid(), gid);
        made.content = content;
        if (isDirectory) {
            made.parent = parentNumber;
            parent.links++;
        }
        parent.putEntry(name, call.operation());
        state.add(call.operation(), made);
        return made;
    }

    /** Another name for an inode. */
    public static Step link(Actor actor, long inode, long directory, ByteString name) {
        return (state, call) -> {
            Set<Errno> errors = placing(state, actor, directory, name);
            ModelNode node = state.ofInode(inode);
            if (node == null || node.links == 0) {
                errors.add(Errno.ENOENT);
                errors.add(Errno.ESTALE);
            }
            if (node != null && node.isDirectory()) {
                errors.add(Errno.EPERM);
            }
            if (!errors.isEmpty()) {
                return Prediction.fails(errors);
            }
            long number = state.nodeNumber(inode);
            ModelNode linked = state.edit(number);
            linked.links++;
            state.edit(state.nodeNumber(directory)).putEntry(name, number);
            return Prediction.succeeds(Expected.Inode.of(number, linked));
        };
    }

    /** Why a new name cannot be placed. */
    private static Set<Errno> placing(ModelState state, Actor actor, long directory, ByteString name) {
        @Nullable ModelNode parent = state.ofInode(directory);
        if (parent == null || parent.links == 0) {
            return Removal.gone(actor, parent);
        }
        EnumSet<Errno> errors = EnumSet.noneOf(Errno.class);
        if (!parent.isDirectory()) {
            errors.add(Errno.ENOTDIR);
            return errors;
        }
        if (!actor.may(parent, WRITE | EXECUTE)) {
            errors.add(Errno.EACCES);
        }
        if (parent.entries.containsKey(name)) {
            errors.add(Errno.EEXIST);
        }
        return errors;
    }
}
