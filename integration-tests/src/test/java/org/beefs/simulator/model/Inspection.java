package org.beefs.simulator.model;

import static org.beefs.simulator.model.Actor.EXECUTE;
import static org.beefs.simulator.model.Actor.READ;
import static org.beefs.simulator.model.Actor.WRITE;

import com.google.protobuf.ByteString;
import java.util.EnumSet;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/** What looks and changes nothing, and extended attributes. */
public final class Inspection {
    static final Prediction GONE = Prediction.fails(Errno.ENOENT, Errno.ESTALE);

    private Inspection() {}

    /** Whether somebody may look names up in a directory. */
    public static Step search(Actor actor, long directory) {
        return (state, call) -> onInode(
                state,
                call,
                directory,
                node -> actor.may(node, EXECUTE)
                        ? Prediction.succeeds(new Expected.Nothing())
                        : Prediction.fails(Errno.EACCES));
    }

    /** What a name names, for somebody who could look it up a moment ago. */
    public static Step resolve(Actor actor, long directory, ByteString name) {
        return (state, call) -> {
            ModelNode parent = state.ofInode(directory);
            if (parent == null) {
                return GONE;
            }
            if (!parent.isDirectory()) {
                return Prediction.fails(Errno.ENOTDIR);
            }
            Long number = parent.entries.get(name);
            EnumSet<Errno> errors = EnumSet.noneOf(Errno.class);
            if (!actor.may(parent, EXECUTE)) {
                errors.add(Errno.EACCES);
            }
            if (number == null) {
                errors.add(Errno.ENOENT);
            }
            if (parent.links == 0) {
                errors.add(Errno.ESTALE);
            }
            return new Prediction(errors, number == null ? null : new Expected.Named(number));
        };
    }

    /** Attributes of what an earlier step found. */
    public static Step attributesFound() {
        return (state, call) -> {
            Long found = call.found();
            ModelNode node = found == null ? null : state.node(found);
            return found == null || node == null
                    ? GONE
                    : unlessGone(state, call, node, Prediction.succeeds(Expected.Inode.of(found, node)));
        };
    }

    public static Step attributes(long inode) {
        return (state, call) -> onInode(
                state, call, inode, node -> Prediction.succeeds(Expected.Inode.of(state.nodeNumber(inode), node)));
    }

    /** Size and times of what an earlier step found: for a file that is open, its primary replica's. */
    public static Step contentAttributes() {
        return (state, call) -> {
            Long found = call.found();
            ModelNode node = found == null ? null : state.node(found);
            // The replica of a file without a name goes at some time, and then nobody knows the size any more.
            return node == null || node.links == 0
                    ? new Prediction(GONE.errors(), new Expected.Nothing())
                    : Prediction.succeeds(Expected.Content.of(node));
        };
    }

    public static Step access(Actor actor, long inode, int mask) {
        return (state, call) -> onInode(
                state,
                call,
                inode,
                node -> actor.may(node, mask)
                        ? Prediction.succeeds(new Expected.Nothing())
                        : Prediction.fails(Errno.EACCES));
    }

    public static Step readLink(long inode) {
        return (state, call) -> onInode(
                state,
                call,
                inode,
                node -> node.isSymbolicLink()
                        ? Prediction.succeeds(new Expected.Same(node.content))
                        : Prediction.fails(Errno.EINVAL));
    }

    public static Step list(Actor actor, long directory) {
        return (state, call) -> onInode(state, call, directory, node -> {
            if (!node.isDirectory()) {
                return Prediction.fails(Errno.ENOTDIR);
            }
            return actor.may(node, READ)
                    ? Prediction.succeeds(new Expected.Entries(node.entries))
                    : Prediction.fails(Errno.EACCES);
        });
    }

    public static Step getXattr(Actor actor, long inode, ByteString name) {
        return (state, call) -> onInode(state, call, inode, node -> {
            ByteString value = node.xattrs.get(name);
            Set<Errno> errors = xattrErrors(actor, node, READ);
            if (value == null) {
                errors.add(Errno.ENODATA);
            }
            return value == null || !errors.isEmpty()
                    ? Prediction.fails(errors)
                    : Prediction.succeeds(new Expected.Same(value));
        });
    }

    public static Step listXattrs(long inode) {
        return (state, call) -> onInode(
                state, call, inode, node -> Prediction.succeeds(new Expected.Same(Set.copyOf(node.xattrs.keySet()))));
    }

    public static Step setXattr(
            Actor actor, long inode, ByteString name, ByteString value, boolean create, boolean replace) {
        return (state, call) -> onInode(state, call, inode, node -> {
            Set<Errno> errors = xattrErrors(actor, node, WRITE);
            if (create && node.xattrs.containsKey(name)) {
                errors.add(Errno.EEXIST);
            }
            if (replace && !node.xattrs.containsKey(name)) {
                errors.add(Errno.ENODATA);
            }
            return changeXattr(state, inode, name, value, errors);
        });
    }

    public static Step removeXattr(Actor actor, long inode, ByteString name) {
        return (state, call) -> onInode(state, call, inode, node -> {
            Set<Errno> errors = xattrErrors(actor, node, WRITE);
            if (!node.xattrs.containsKey(name)) {
                errors.add(Errno.ENODATA);
            }
            return changeXattr(state, inode, name, null, errors);
        });
    }

    private static Prediction changeXattr(
            ModelState state, long inode, ByteString name, @Nullable ByteString value, Set<Errno> errors) {
        if (!errors.isEmpty()) {
            return Prediction.fails(errors);
        }
        state.edit(state.nodeNumber(inode)).setXattr(name, value);
        return Prediction.succeeds(new Expected.Nothing());
    }

    /**
     * Attributes in the user namespace are for files and directories only; those of a sticky directory its owner sets.
     */
    private static Set<Errno> xattrErrors(Actor actor, ModelNode node, int mask) {
        EnumSet<Errno> errors = EnumSet.noneOf(Errno.class);
        if (!node.isRegular() && !node.isDirectory()) {
            errors.add(mask == READ ? Errno.ENODATA : Errno.EPERM);
        } else if (!actor.may(node, mask)) {
            errors.add(Errno.EACCES);
        }
        if (mask == WRITE && node.isDirectory() && (node.mode & FileMode.STICKY) != 0 && !actor.owns(node)) {
            errors.add(Errno.EPERM);
        }
        return errors;
    }

    interface OnNode {
        Prediction run(ModelNode node);
    }

    /**
     * Something on an inode by number. One without a name must be there only while it is open, and not even then if the
     * session that has it open may have ended.
     */
    static Prediction onInode(ModelState state, Step.Call call, long inode, OnNode then) {
        ModelNode node = state.ofInode(inode);
        if (node == null) {
            return GONE;
        }
        return unlessGone(state, call, node, then.run(node));
    }

    static Prediction unlessGone(ModelState state, Step.Call call, ModelNode node, Prediction prediction) {
        if (node.links > 0 || (!state.mayBeGone(node) && !call.rules().sessionsMayEnd())) {
            return prediction;
        }
        EnumSet<Errno> errors = EnumSet.of(Errno.ENOENT, Errno.ESTALE, Errno.EIO);
        errors.addAll(prediction.errors());
        return new Prediction(errors, prediction.success());
    }
}
