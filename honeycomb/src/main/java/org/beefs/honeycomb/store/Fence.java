package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.OpenReplicas.Use;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the files of replicas to the programs that write them in passthrough, when the lease has run out, and opens
 * those again that are still this desktop's to write when the queen-bee has said so. Thread-safe.
 *
 * <p>While some file is written in passthrough, the lease is looked at when it ends, but at least every {@link #LOOK}:
 * timers stand still while the machine sleeps. A lease that has run out comes back only through {@link #settle}, after
 * all files were closed: so whoever wakes up closes them before he asks for anything.
 */
final class Fence {
    /** Time after which a sleep is noticed at the latest. */
    static final Duration LOOK = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);

    private final WriteGate gate;
    private final OpenReplicas replicas;
    private final Timers timers;
    private final Executor executor;

    // Guarded by this, which is held while files are closed and opened: both wait for the disk.
    private boolean stopped;

    /**
     * Held for a few instructions: whoever opens a file to write passes here, and must not wait for files that are
     * being closed.
     */
    private final Object watchLock = new Object();
    // Guarded by that.
    private boolean watching;

    /**
     * Replicas that are closed at the gate, and whose files are still to be: among those that were written past the
     * store. Thread-safe.
     */
    private final Set<ReplicaId> unclosed = ConcurrentHashMap.newKeySet();

    private volatile Supplier<Set<ReplicaId>> written = Set::of;

    /** @param executor where files are closed and opened, which waits for the disk */
    Fence(WriteGate gate, OpenReplicas replicas, Timers timers, Executor executor) {
        this.gate = gate;
        this.replicas = replicas;
        this.timers = timers;
        this.executor = executor;
    }

    /** Looks after the lease as long as these are not empty; called whenever one was added. */
    void watch(Supplier<Set<ReplicaId>> writtenInPassthrough) {
        written = writtenInPassthrough;
        synchronized (watchLock) {
            if (watching) {
                return;
            }
            watching = true;
        }
        look();
    }

    private void look() {
        synchronized (watchLock) {
            watching = !written.get().isEmpty();
            if (!watching) {
                return;
            }
        }
        try {
            if (!gate.isLeased() || !unclosed.isEmpty()) {
                raiseSoon();
            }
        } finally { // the next look tries again, so it must come whatever happens here
            long left = gate.left();
            timers.schedule(left > 0 && left < LOOK.toNanos() ? Duration.ofNanos(left) : LOOK, this::look);
        }
    }

    private void raiseSoon() {
        try {
            executor.execute(this::raise);
        } catch (RejectedExecutionException busy) {
            LOG.debug("files are closed to their writers later, because too much waits for the disk");
        }
    }

    /** Keeps the lease. False when it had run out already: then only a registration brings it back. */
    boolean extend(long until) {
        return gate.extend(until);
    }

    /**
     * Replicas that the queen-bee has to be asked about: all that are written in passthrough, or closed. Closes those
     * first that must be.
     */
    CompletableFuture<Set<ReplicaId>> questions() {
        return gate.isLeased() || written.get().isEmpty()
                ? CompletableFuture.completedFuture(writtenOrClosed())
                : onDisk(() -> {
                    raise();
                    return writtenOrClosed();
                });
    }

    private Set<ReplicaId> writtenOrClosed() {
        Set<ReplicaId> all = new HashSet<>(gate.closed());
        all.addAll(written.get());
        return all;
    }

    /**
     * The queen-bee has answered a registration: from now on the lease holds, and what was asked about may be written,
     * but for what is lost.
     *
     * @return false when another registration has to come first: something is closed that she was not asked about, or
     *     closing files has taken so long that the lease is over
     */
    CompletableFuture<Boolean> settle(long until, Collection<ReplicaId> asked, Collection<ReplicaId> lost) {
        if (asked.isEmpty() && gate.closed().isEmpty()) {
            gate.lease(until);
            return CompletableFuture.completedFuture(true);
        }
        return onDisk(() -> settleNow(until, asked, lost));
    }

    /** Fails with EAGAIN when too much waits already: the registration that it is for is done again. */
    private <T> CompletableFuture<T> onDisk(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, executor);
        } catch (RejectedExecutionException busy) {
            return Futures.failed(Errno.EAGAIN, "too much waits to be closed");
        }
    }

    /**
     * Begins the lease when all replicas are open again that may be. A writer who came before would find a file closed,
     * and take it for one that has moved on; without a lease he waits.
     */
    private synchronized boolean settleNow(long until, Collection<ReplicaId> asked, Collection<ReplicaId> lost) {
        lost.forEach(this::close);
        closeFiles();
        if (gate.isOver(until) || !asked.containsAll(gate.closed())) {
            return false;
        }
        Set<ReplicaId> mine = new HashSet<>(asked);
        lost.forEach(mine::remove);
        long opened = mine.stream()
                .filter(id -> gate.isClosed(id) && !gate.isOver(until))
                .filter(this::open)
                .count();
        gate.lease(until);
        if (opened > 0) {
            LOG.info("the queen-bee is back: {} files can be written again", opened);
        }
        return true;
    }

    /** Files that are closed. */
    int count() {
        return gate.closed().size();
    }

    /** Forgets a replica that was removed, or is another file's now. */
    void forget(ReplicaId id) {
        gate.open(id);
    }

    /**
     * Opens everything, because the honeycomb stops: immutable files would be in the way of whoever removes its folder.
     * What programs write now is found at the next start.
     *
     * @return whether nothing is closed any more
     */
    synchronized boolean stop() {
        stopped = true;
        gate.closed().forEach(this::open);
        return gate.closed().isEmpty();
    }

    private synchronized void raise() {
        if (stopped) {
            return;
        }
        boolean over = gate.endIfOver();
        if (over) {
            written.get().forEach(this::close);
        }
        int closed = closeFiles();
        if (over && closed > 0) {
            LOG.warn(
                    "the queen-bee was not heard: {} files are closed to the programs that write them until she is",
                    closed);
        }
    }

    /**
     * Closes a replica, at the gate first. There it stays closed, whether its file can be closed to programs or not:
     * what is tried again may have taken effect in part, and what the store would take for a lost one is no file's any
     * more.
     */
    private void close(ReplicaId id) {
        if (gate.close(id)) {
            unclosed.add(id);
        }
    }

    /**
     * Closes the files that wait for it; the next look tries again with those that cannot be closed.
     *
     * @return how many wait no more
     */
    private int closeFiles() {
        int before = unclosed.size();
        unclosed.removeIf(id -> !gate.isClosed(id) || closeFile(id));
        return before - unclosed.size();
    }

    private boolean open(ReplicaId id) {
        boolean opened = openFile(id);
        if (opened) {
            gate.open(id);
        }
        return opened;
    }

    private boolean closeFile(ReplicaId id) {
        return setFile(id, "closed to its writers", Replica::makeImmutable);
    }

    private boolean openFile(ReplicaId id) {
        return setFile(id, "opened again", (_, file) -> file.setImmutable(false));
    }

    /** Closes or opens a replica's file; one that was removed has none, and needs neither. Whether that is done. */
    private boolean setFile(ReplicaId id, String what, BiConsumer<Replica, ReplicaFile> change) {
        try (Use use = replicas.use(id)) {
            @Nullable ReplicaFile file = use.replica().file();
            if (file == null) {
                gate.open(id);
            } else {
                change.accept(use.replica(), file);
            }
            return true;
        } catch (PosixException e) {
            LOG.error("fencing fails: {} cannot be {}: {}", id, what, e.getMessage());
            return false;
        }
    }
}
