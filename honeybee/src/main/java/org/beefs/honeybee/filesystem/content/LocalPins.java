package org.beefs.honeybee.filesystem.content;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.filesystem.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Pins replica files in the honeycomb of this process, for the kernel to read and write by itself, for as long as their
 * handles are open.
 */
public final class LocalPins {
    private final Honeycombs honeycombs;
    private final OpenHandles handles;
    private final Consumer<Attributes> accesses;

    /** @param accesses hears what is taken for read, with attributes as they were before */
    public LocalPins(Honeycombs honeycombs, OpenHandles handles, Consumer<Attributes> accesses) {
        this.honeycombs = honeycombs;
        this.handles = handles;
        this.accesses = accesses;
    }

    /**
     * As {@link FileSystem#backingFile}. Empty for files with set-id bits or file capabilities, which the kernel does
     * not take away by itself when somebody writes past a driver, unless programs may have them mapped.
     */
    public OptionalInt backingFile(long number, boolean required) {
        OpenHandle handle = handles.get(number);
        Optional<ReplicaPin> pin = required ? pin(handle, true) : pinFirst(handle);
        if (!required) {
            pin.ifPresent(kept -> offer(handle, kept));
        } else if (pin.isPresent()) {
            offer(handle, sameFile(handle, pin.get()));
        } else {
            handle.keep(sameFile(handle, pinUnchanged(handle)));
        }
        return pin.map(kept -> OptionalInt.of(kept.descriptor())).orElseGet(OptionalInt::empty);
    }

    /**
     * For the first open of an inode. A program may have the file mapped since an earlier one. A mapping that goes
     * through this daemon has pages of its own: neither would show what is stored through the other, and would write
     * back over it what its pages show.
     */
    private Optional<ReplicaPin> pinFirst(OpenHandle handle) {
        Optional<ReplicaPin> pin = handle.inode().givesPrivileges() ? Optional.empty() : pin(handle, false);
        return pin.isEmpty() && isPinnedToWrite(handle) ? pin(handle, true) : pin;
    }

    private boolean isPinnedToWrite(OpenHandle handle) {
        LocalReplicaAccess local = honeycombs.local(handle.layout());
        return local != null && local.isPinnedToWrite(ReplicaTargets.of(handle.layout()));
    }

    /**
     * The kernel goes on with the file that it has open. If the replica is another one by now, because the primary has
     * been elsewhere meanwhile, fails with EIO.
     */
    private static ReplicaPin sameFile(OpenHandle handle, @Nullable ReplicaPin pin) {
        if (pin != null && handle.inode().isOfferedForPassthrough(pin.descriptor())) {
            return pin;
        }
        if (pin != null) {
            pin.release();
        }
        throw new PosixException(
                Errno.EIO,
                "inode %d cannot be opened here until the programs have closed it that have had it open since before its primary moved"
                        .formatted(handle.inode().number()));
    }

    /**
     * The replica here is not the primary any more, because this desktop was lost for a while. As long as it is what
     * the file is, mappings of it show the right content; null when it is not, or the file is to be written.
     */
    private @Nullable ReplicaPin pinUnchanged(OpenHandle handle) {
        Layout layout = handle.layout();
        boolean unchanged = !handle.open().write() && !layout.getDirty() && layout.getVersion() != 0;
        return unchanged ? pinHere(ReplicaTargets.unchanged(layout)) : null;
    }

    private @Nullable ReplicaPin pinHere(ReplicaTarget target) {
        LocalReplicaAccess own = honeycombs.own();
        try {
            return own == null ? null : own.pin(target, false, true).orElse(null);
        } catch (PosixException another) {
            return null;
        }
    }

    /**
     * Keeps the file for the kernel. Nobody hears of reads and writes past the daemon: who may read, and finds
     * something there, counts as a reader. The queen-bee may not know yet what the last writer has left.
     */
    private void offer(OpenHandle handle, ReplicaPin kept) {
        handle.keep(kept);
        handle.inode().offerForPassthrough(kept.descriptor());
        handle.firstRead()
                .filter(known -> known.getSize() > 0 || kept.size() > 0)
                .ifPresent(accesses);
        if (handle.open().write()) {
            handle.inode().offerForPassthroughWriting();
        }
    }

    private Optional<ReplicaPin> pin(OpenHandle handle, boolean required) {
        LocalReplicaAccess local = honeycombs.local(handle.layout());
        return local == null
                ? Optional.empty()
                : local.pin(ReplicaTargets.of(handle.layout()), handle.open().write(), required);
    }
}
