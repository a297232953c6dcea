package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The uses of replica files in passthrough. Thread-safe.
 *
 * <p>While a replica has a pin that may write, it carries no version, gets none, and is not reported to the queen-bee
 * as left alone. Its size and times are asked of the file each time anyway.
 */
final class Pins {
    private static final Logger LOG = LoggerFactory.getLogger(Pins.class);

    /** Pins at a time; each may keep a descriptor. */
    static final int MOST = 8192;

    private final ReplicaFiles files;
    private final Space space;
    private final Observer observer;
    private final OpenReplicas open;
    private final Existence existence;
    private final WriteGate gate;
    private final Fence fence;
    private final Timers timers;
    private final Executor executor;
    private final Set<Pin> pins = ConcurrentHashMap.newKeySet();

    /**
     * Replicas of pins to write that are being made, once for each: they count as written, so that no lease can end or
     * begin without them.
     */
    private final Queue<ReplicaId> making = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    /** @param executor where files are looked at again */
    Pins(
            ReplicaFiles files,
            Space space,
            Observer observer,
            OpenReplicas open,
            Existence existence,
            WriteGate gate,
            Fence fence,
            Timers timers,
            Executor executor) {
        this.files = files;
        this.space = space;
        this.observer = observer;
        this.open = open;
        this.existence = existence;
        this.gate = gate;
        this.fence = fence;
        this.timers = timers;
        this.executor = executor;
    }

    /** As {@link org.beefs.common.replica.LocalReplicaAccess#pin}. */
    Optional<ReplicaPin> pin(ReplicaTarget target, boolean write, boolean required) {
        if (!write) {
            return make(target, false, required);
        }
        making.add(ReplicaId.of(target));
        try {
            fence.watch(this::written);
            return make(target, true, required);
        } finally {
            making.remove(ReplicaId.of(target));
        }
    }

    private Optional<ReplicaPin> make(ReplicaTarget target, boolean write, boolean required) {
        (write ? Authority.WRITE : Authority.READ).check(target);
        ReplicaId id = ReplicaId.of(target);
        if (!required && !(isAdvisable() && (!write || gate.isOpen(id)))) {
            return Optional.empty();
        }
        if (write && !gate.isOpen(id)) {
            throw new PosixException(Errno.EIO, id + " cannot be written until the queen-bee is heard");
        }
        try {
            return Optional.ofNullable(make(id, target, write));
        } catch (PosixException e) {
            boolean isForTheStore = !write || e.errno().saysFull();
            if (required || !isForTheStore) {
                throw e;
            }
            LOG.debug("{} goes through the daemon, which waits for room, or asks others: {}", id, e.getMessage());
            return Optional.empty();
        }
    }

    private @Nullable Pin make(ReplicaId id, ReplicaTarget target, boolean write) {
        Replica replica = open.use(id).replica();
        Pin pin = null;
        try {
            pin = write ? toWrite(replica, target) : toRead(replica, target);
        } finally {
            if (pin == null) {
                open.leave(replica);
            }
        }
        if (pin != null) {
            keep(pin);
        }
        return pin;
    }

    /** Replicas that programs may be writing or begin to write, or that are still mapped. */
    Set<ReplicaId> written() {
        // Copied first: a pin is added to `pins` before it leaves `making`, so none is missed.
        Set<ReplicaId> written = new HashSet<>(making);
        pins.stream().filter(Pin::mayWrite).map(pin -> pin.replica().id()).forEach(written::add);
        return written;
    }

    /** Whether the replica is among those that are {@link #written}. */
    boolean isWritten(ReplicaId id) {
        return making.contains(id)
                || pins.stream()
                        .anyMatch(pin -> pin.mayWrite() && pin.replica().id().equals(id));
    }

    /** Takes account of the space that was taken in passthrough. */
    void recount() {
        pins.forEach(Pin::recount);
    }

    /**
     * Ends all pins, because the honeycomb stops.
     *
     * @return whether one of them could write: then replicas may change from now on, and nobody knows
     */
    boolean giveUp() {
        closed = true;
        boolean writable = pins.stream().anyMatch(Pin::mayWrite);
        pins.forEach(pin -> pin.giveUp(stopped()));
        return writable;
    }

    private boolean isAdvisable() {
        return files.showsWriters() && files.fences() && pins.size() < MOST && space.hasRoomForPassthrough();
    }

    private Pin toWrite(Replica replica, ReplicaTarget target) {
        boolean isNew = existence.ensure(replica, target); // so it can be written
        Pin pin;
        Pin departing;
        ReplicaStatus seen;
        try (var _ = replica.holdExclusively()) {
            ReplicaFile file = existence.require(replica, target);
            existence.beginChange(replica, file, false);
            if (!isNew) {
                file.checkWritable();
            }
            seen = observer.observe(replica, file);
            departing = replica.departing;
            replica.departing = null;
            replica.writers++;
            pin = new Pin(this, replica, file, true);
        }
        if (departing != null) {
            departing.end(seen);
        }
        return pin;
    }

    private @Nullable Pin toRead(Replica replica, ReplicaTarget target) {
        try (var _ = replica.holdShared()) {
            // What is rotten or missing is not here for a reader: he asks the store, and then others.
            ReplicaFile file = replica.isRotten() || !replica.exists() ? null : existence.find(replica, target);
            return file == null ? null : new Pin(this, replica, file, false);
        }
    }

    private void keep(Pin pin) {
        pins.add(pin);
        if (closed) {
            pin.giveUp(stopped());
            throw stopped();
        }
    }

    private static PosixException stopped() {
        return new PosixException(Errno.ENOTCONN, "the honeycomb has stopped");
    }

    // For pins.

    void ended(Pin pin) {
        pins.remove(pin);
        open.leave(pin.replica());
    }

    ReplicaStatus observe(Replica replica, ReplicaFile file) {
        return observer.observe(replica, file);
    }

    void recount(Replica replica, ReplicaFile file) {
        try (var _ = replica.holdShared()) {
            observer.recount(replica, file);
        }
    }

    void later(Duration wait, Runnable work) {
        timers.schedule(wait, () -> {
            try {
                executor.execute(work);
            } catch (RejectedExecutionException busy) {
                later(Pin.LONGEST_WAIT, work);
            }
        });
    }
}
