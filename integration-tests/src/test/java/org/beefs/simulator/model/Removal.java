package org.beefs.simulator.model;

import static org.beefs.simulator.model.Actor.EXECUTE;
import static org.beefs.simulator.model.Actor.WRITE;

import com.google.protobuf.ByteString;
import java.util.EnumSet;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.jspecify.annotations.Nullable;

/** Names that go: unlink, rmdir, and what rename shares with them. */
public final class Removal {
    private Removal() {}

    public static Step unlink(Actor actor, long directory, ByteString name) {
        return (state, call) -> {
            Set<Errno> errors = taking(state, actor, directory, name);
            @Nullable ModelNode node = named(state, directory, name);
            if (node != null && node.isDirectory()) {
                errors.add(Errno.EISDIR);
                errors.add(Errno.EPERM);
            }
            if (!errors.isEmpty()) {
                return Prediction.fails(errors);
            }
            drop(state, directory, name);
            return Prediction.succeeds(new Expected.Nothing());
        };
    }

    public static Step removeDirectory(Actor actor, long directory, ByteString name) {
        return (state, call) -> {
            Set<Errno> errors = taking(state, actor, directory, name);
            @Nullable ModelNode node = named(state, directory, name);
            if (node != null && !node.isDirectory()) {
                errors.add(Errno.ENOTDIR);
            } else if (node != null && !node.entries.isEmpty()) {
                errors.add(Errno.ENOTEMPTY);
            }
            if (!errors.isEmpty()) {
                return Prediction.fails(errors);
            }
            drop(state, directory, name);
            return Prediction.succeeds(new Expected.Nothing());
        };
    }

    /** Why a name cannot be taken from its directory. */
    static Set<Errno> taking(ModelState state, Actor actor, long directory, ByteString name) {
        @Nullable ModelNode parent = state.ofInode(directory);
        if (parent == null || parent.links == 0) {
            return gone(actor, parent);
        }
        EnumSet<Errno> errors = EnumSet.noneOf(Errno.class);
        if (!parent.isDirectory()) {
            errors.add(Errno.ENOTDIR);
            return errors;
        }
        if (!actor.may(parent, WRITE | EXECUTE)) {
            errors.add(Errno.EACCES);
        }
        @Nullable ModelNode node = named(state, directory, name);
        if (node == null) {
            errors.add(Errno.ENOENT);
        } else if (actor.stuck(parent, node)) {
            errors.add(Errno.EPERM);
            errors.add(Errno.EACCES);
        }
        return errors;
    }

    /** Why nothing can be changed in a directory that was removed: it may be forgotten, or still forbid what it did. */
    static EnumSet<Errno> gone(Actor actor, @Nullable ModelNode directory) {
        EnumSet<Errno> errors = EnumSet.of(Errno.ENOENT, Errno.ESTALE);
        if (directory != null && !actor.may(directory, WRITE | EXECUTE)) {
            errors.add(Errno.EACCES);
        }
        return errors;
    }

    static @Nullable ModelNode named(ModelState state, long directory, ByteString name) {
        ModelNode parent = state.ofInode(directory);
        Long number = parent == null ? null : parent.entries.get(name);
        return number == null ? null : state.node(number);
    }

    /** Takes a name away. */
    static void drop(ModelState state, long directory, ByteString name) {
        ModelNode parent = state.edit(state.nodeNumber(directory));
        Long number = parent.entries.get(name);
        if (number == null) {
            throw new IllegalStateException("a name to drop is not there");
        }
        parent.removeEntry(name);
        ModelNode node = state.edit(number);
        if (node.isDirectory()) {
            parent.links--;
            node.links = 0;
            node.parent = 0;
        } else {
            node.links--;
        }
    }
}
