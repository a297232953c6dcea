package org.beefs.simulator.model;

import static org.beefs.simulator.model.Actor.EXECUTE;
import static org.beefs.simulator.model.Actor.WRITE;

import com.google.protobuf.ByteString;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.jspecify.annotations.Nullable;

/** rename(2) in its three forms. */
public record Renaming(
        Actor actor,
        long oldDirectory,
        ByteString oldName,
        long newDirectory,
        ByteString newName,
        boolean noReplace,
        boolean exchange)
        implements Step {

    @Override
    public Prediction run(ModelState state, Call call) {
        Set<Errno> errors = Removal.taking(state, actor, oldDirectory, oldName);
        @Nullable ModelNode to = state.ofInode(newDirectory);
        if (to == null || to.links == 0) {
            errors.addAll(Removal.gone(actor, to));
            return Prediction.fails(errors);
        }
        if (!to.isDirectory()) {
            errors.add(Errno.ENOTDIR);
            return Prediction.fails(errors);
        }
        if (!actor.may(to, WRITE | EXECUTE)) {
            errors.add(Errno.EACCES);
        }
        @Nullable ModelNode moved = Removal.named(state, oldDirectory, oldName);
        @Nullable ModelNode target = Removal.named(state, newDirectory, newName);
        if (moved != null && target != null && sameNode(state) && !noReplace) {
            // Linux does not even look at permissions then.
            return new Prediction(errors, new Expected.Nothing());
        }
        addErrors(state, errors, to, moved, target);
        if (!errors.isEmpty()) {
            return Prediction.fails(errors);
        }
        if (exchange) {
            exchange(state);
        } else {
            replace(state, target != null);
        }
        return Prediction.succeeds(new Expected.Nothing());
    }

    /** Both names are of one inode: nothing is to be done. */
    private boolean sameNode(ModelState state) {
        return number(state, oldDirectory, oldName) == number(state, newDirectory, newName);
    }

    private void addErrors(
            ModelState state, Set<Errno> errors, ModelNode to, @Nullable ModelNode moved, @Nullable ModelNode target) {
        if (exchange && target == null) {
            errors.add(Errno.ENOENT);
        }
        if (noReplace && target != null) {
            errors.add(Errno.EEXIST);
        }
        if (target != null && actor.stuck(to, target)) {
            errors.add(Errno.EPERM);
            errors.add(Errno.EACCES);
        }
        if (moved != null && moved.isDirectory()) {
            addDirectoryErrors(state, errors, moved, oldDirectory, oldName, newDirectory);
        }
        if (exchange) {
            if (target != null && target.isDirectory()) {
                addDirectoryErrors(state, errors, target, newDirectory, newName, oldDirectory);
            }
        } else if (moved != null && target != null) {
            addReplacingErrors(errors, moved, target);
        }
    }

    /** A directory never goes below itself, and needs write permission to get another parent. */
    private void addDirectoryErrors(
            ModelState state, Set<Errno> errors, ModelNode directory, long from, ByteString name, long to) {
        ModelNode parent = state.ofInode(from);
        Long number = parent == null ? null : parent.entries.get(name);
        if (number != null && state.isWithin(state.nodeNumber(to), number)) {
            errors.add(Errno.EINVAL);
        }
        if (from != to && !actor.may(directory, WRITE)) {
            errors.add(Errno.EACCES);
        }
    }

    private void addReplacingErrors(Set<Errno> errors, ModelNode moved, ModelNode target) {
        if (moved.isDirectory() && !target.isDirectory()) {
            errors.add(Errno.ENOTDIR);
        } else if (!moved.isDirectory() && target.isDirectory()) {
            errors.add(Errno.EISDIR);
        }
        if (target.isDirectory() && !target.entries.isEmpty()) {
            errors.add(Errno.ENOTEMPTY);
            errors.add(Errno.EEXIST);
        }
    }

    private void replace(ModelState state, boolean hasTarget) {
        if (hasTarget) {
            Removal.drop(state, newDirectory, newName);
        }
        long number = number(state, oldDirectory, oldName);
        state.edit(state.nodeNumber(oldDirectory)).removeEntry(oldName);
        state.edit(state.nodeNumber(newDirectory)).putEntry(newName, number);
        moveParent(state, number, oldDirectory, newDirectory);
    }

    private void exchange(ModelState state) {
        long one = number(state, oldDirectory, oldName);
        long other = number(state, newDirectory, newName);
        state.edit(state.nodeNumber(oldDirectory)).putEntry(oldName, other);
        state.edit(state.nodeNumber(newDirectory)).putEntry(newName, one);
        moveParent(state, one, oldDirectory, newDirectory);
        moveParent(state, other, newDirectory, oldDirectory);
    }

    private static long number(ModelState state, long directory, ByteString name) {
        Long number = state.existing(state.nodeNumber(directory)).entries.get(name);
        if (number == null) {
            throw new IllegalStateException("a name to rename is not there");
        }
        return number;
    }

    private static void moveParent(ModelState state, long number, long from, long to) {
        if (state.existing(number).isDirectory()) {
            state.edit(state.nodeNumber(from)).links--;
            state.edit(state.nodeNumber(to)).links++;
            state.edit(number).parent = state.nodeNumber(to);
        }
    }
}
