package org.beefs.simulator.model;

import static org.beefs.simulator.model.Actor.WRITE;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;

/** Opens, and content through them. */
public final class Opening {
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;

    private Opening() {}

    public static Step open(Actor actor, long inode, int mask) {
        return (state, call) ->
                Inspection.onInode(state, call, inode, node -> open(state, call, actor, state.nodeNumber(inode), mask));
    }

    static Prediction open(ModelState state, Step.Call call, Actor actor, long number, int mask) {
        ModelNode node = state.existing(number);
        if (node.isDirectory()) {
            return Prediction.fails(Errno.EISDIR);
        }
        if (!node.isRegular()) {
            return Prediction.fails(Errno.ELOOP, Errno.EINVAL, Errno.ENXIO, Errno.EEXIST, Errno.EOPNOTSUPP);
        }
        if (!actor.may(node, mask)) {
            return Prediction.fails(Errno.EACCES);
        }
        ModelNode opened = state.edit(number);
        state.open(opened, call.operation());
        return Prediction.succeeds(Expected.Inode.of(number, opened));
    }

    /** Opens what an earlier step found, unless that was made, and so opened, by this operation. */
    public static Step openFound(Actor actor, int mask) {
        return (state, call) -> {
            Long found = call.found();
            ModelNode node = found == null ? null : state.node(found);
            if (found == null || node == null) {
                return Inspection.GONE;
            }
            if (node.handles.contains(call.operation())) {
                return Prediction.succeeds(new Expected.Nothing());
            }
            Prediction opened = Inspection.unlessGone(state, call, node, open(state, call, actor, found, mask));
            return opened.mustFail() ? opened : new Prediction(opened.errors(), new Expected.Nothing());
        };
    }

    public static Step release(long inode, int handle) {
        return (state, call) -> {
            state.close(inode, handle);
            if (state.ofInode(inode) != null) {
                state.flushed(state.nodeNumber(inode));
            }
            return Prediction.succeeds(new Expected.Nothing());
        };
    }

    public static Step read(long inode, long offset, int length) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            state.flushed(state.nodeNumber(inode));
            int from = (int) Math.min(offset, node.content.size());
            int to = Math.min(from + length, node.content.size());
            return Prediction.succeeds(new Expected.Same(node.content.substring(from, to)));
        });
    }

    /** How many bytes a read finds. */
    public static Step length(long inode, long offset, int length) {
        return (state, call) -> Inspection.onInode(
                state,
                call,
                inode,
                node -> Prediction.succeeds(
                        new Expected.Same((int) Math.clamp(node.content.size() - offset, 0L, length))));
    }

    /** What is read from some place on, however far. */
    public static Step beginning(long inode, long offset) {
        return (state, call) -> Inspection.onInode(
                state,
                call,
                inode,
                node -> Prediction.succeeds(
                        new Expected.Beginning(node.content.substring((int) Math.min(offset, node.content.size())))));
    }

    public static Step write(long inode, long offset, boolean append, ByteString data) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            setContent(state, inode, written(node.content, append ? node.content.size() : offset, data));
            return Prediction.succeeds(new Expected.Nothing());
        });
    }

    /** A write that may be answered before others would see it. */
    public static Step heldWrite(long inode, long offset, ByteString data) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            long number = state.nodeNumber(inode);
            state.edit(number).hold(new HeldWrite(call.operation(), number, offset, data));
            return Prediction.succeeds(new Expected.Nothing());
        });
    }

    /** What was held back comes late. */
    static Step late(HeldWrite write) {
        return (state, call) -> {
            ModelNode node = state.node(write.node());
            if (node != null) {
                setContent(state.edit(write.node()), written(node.content, write.offset(), write.data()));
            }
            return Prediction.succeeds(new Expected.Nothing());
        };
    }

    /** Stores through a mapping: what lies outside of the file by then is lost. */
    public static Step store(long inode, long offset, ByteString data) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            int inside = Math.clamp(node.content.size() - offset, 0, data.size());
            if (inside > 0) {
                setContent(state, inode, replaced(node.content, (int) offset, data.substring(0, inside)));
            }
            return Prediction.succeeds(new Expected.Nothing());
        });
    }

    /** Whether a file may be truncated by its inode number. */
    public static Step mayTruncate(Actor actor, long inode) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            if (!node.isRegular()) {
                return Prediction.fails(Errno.EISDIR, Errno.EINVAL);
            }
            return actor.may(node, WRITE)
                    ? Prediction.succeeds(Expected.Inode.of(state.nodeNumber(inode), node))
                    : Prediction.fails(Errno.EACCES);
        });
    }

    /** Empties what an earlier step opened; that takes privileges away unless root does it. */
    public static Step emptyFound(Actor actor) {
        return (state, call) -> {
            Prediction prediction = truncateFound(0).run(state, call);
            Long found = call.found();
            if (found != null && !actor.isRoot()) {
                Changing.clearPrivileges(state, found);
            }
            return prediction;
        };
    }

    /** Cuts or extends what an earlier step found. */
    public static Step truncateFound(long size) {
        return (state, call) -> {
            Long found = call.found();
            if (found != null && state.node(found) != null) {
                ModelNode changed = state.edit(found);
                setContent(changed, resized(changed.content, (int) size));
            }
            return Prediction.succeeds(new Expected.Nothing());
        };
    }

    public static Step truncate(long inode, long size) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            setContent(state, inode, resized(node.content, (int) size));
            return Prediction.succeeds(new Expected.Nothing());
        });
    }

    public static Step allocate(long inode, int mode, long offset, long length) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            int size = node.content.size();
            ByteString content = node.content;
            if ((mode & PUNCH_HOLE) != 0) {
                int from = (int) Math.min(offset, size);
                int to = (int) Math.min(offset + length, size);
                content = replaced(content, from, ByteString.copyFrom(new byte[to - from]));
            } else if ((mode & KEEP_SIZE) == 0) {
                content = resized(content, (int) Math.max(size, offset + length));
            }
            setContent(state, inode, content);
            return Prediction.succeeds(new Expected.Nothing());
        });
    }

    public static Step sync(long inode) {
        return (state, call) -> Inspection.onInode(state, call, inode, node -> {
            state.flushed(state.nodeNumber(inode));
            return Prediction.succeeds(new Expected.Nothing());
        });
    }

    private static void setContent(ModelState state, long inode, ByteString content) {
        setContent(state.edit(state.nodeNumber(inode)), content);
    }

    private static void setContent(ModelNode changed, ByteString content) {
        changed.flush();
        changed.content = content;
        changed.mtime = null;
    }

    static ByteString written(ByteString content, long offset, ByteString data) {
        int at = (int) offset;
        return replaced(resized(content, Math.max(content.size(), at + data.size())), at, data);
    }

    private static ByteString resized(ByteString content, int size) {
        return size <= content.size()
                ? content.substring(0, size)
                : ByteString.copyFrom(java.util.Arrays.copyOf(content.toByteArray(), size));
    }

    private static ByteString replaced(ByteString content, int at, ByteString data) {
        byte[] bytes = content.toByteArray();
        data.copyTo(bytes, at);
        return ByteString.copyFrom(bytes);
    }
}
