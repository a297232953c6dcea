package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.jspecify.annotations.Nullable;

/**
 * A use of a replica's file in passthrough, from {@link Pins#pin} until it has certainly ended. Thread-safe.
 *
 * <p>After the release of a pin that could write, the file may still be written: through a mapping, or because the
 * kernel closes it a moment later. So the pin stays, <em>departing</em>, and looks again and again whether the file is
 * open for writing. When another pin that may write comes meanwhile, that one will look at its own end, and this one
 * ends at once: of each replica at most one pin is departing.
 */
final class Pin implements ReplicaPin {
    static final Duration FIRST_WAIT = Duration.ofMillis(2);
    static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final Pins owner;
    private final Replica replica;
    private final ReplicaFile file;
    private final boolean write;
    private final CompletableFuture<ReplicaStatus> end = new CompletableFuture<>();

    // Guarded by the monitor. The replica's order may be taken inside of it, but not the other way round.
    private boolean released;
    private boolean ended;

    Pin(Pins owner, Replica replica, ReplicaFile file, boolean write) {
        this.owner = owner;
        this.replica = replica;
        this.file = file;
        this.write = write;
    }

    @Override
    public int descriptor() {
        return file.descriptor();
    }

    @Override
    public long size() {
        return file.status().size();
    }

    @Override
    public CompletableFuture<ReplicaStatus> release() {
        if (releasesNow()) {
            tryToEnd(FIRST_WAIT);
        }
        return end.copy();
    }

    /** Ends with this status of the replica. */
    void end(ReplicaStatus seen) {
        if (endsNow()) {
            owner.ended(this);
            end.complete(seen);
        }
    }

    /** Ends although the file may still be written. */
    void giveUp(PosixException reason) {
        if (endsNow()) {
            owner.ended(this);
            end.completeExceptionally(reason);
        }
    }

    boolean mayWrite() {
        return write;
    }

    Replica replica() {
        return replica;
    }

    /** Takes account of the space that the file takes by now. */
    synchronized void recount() {
        if (write && !ended) {
            owner.recount(replica, file);
        }
    }

    private void tryToEnd(Duration wait) {
        Runnable then;
        synchronized (this) {
            if (ended) {
                return;
            }
            then = looked(wait);
        }
        then.run();
    }

    /** Looks; answers what is to be done about it with no lock held. */
    private Runnable looked(Duration wait) {
        try {
            ReplicaStatus seen = look();
            return seen != null ? () -> end(seen) : () -> owner.later(wait, () -> tryToEnd(next(wait)));
        } catch (PosixException failure) {
            return () -> giveUp(failure);
        }
    }

    private static Duration next(Duration wait) {
        Duration twice = wait.multipliedBy(2);
        return twice.compareTo(LONGEST_WAIT) < 0 ? twice : LONGEST_WAIT;
    }

    /** The replica's status when nothing more will come through this pin; null while something may. */
    private @Nullable ReplicaStatus look() {
        try (var _ = replica.holdExclusively()) {
            if (!write) {
                return owner.observe(replica, file);
            }
            boolean departing = replica.writers == 0 && !replica.isDropped() && file.isOpenForWriting();
            replica.departing = departing ? this : null;
            return departing ? null : owner.observe(replica, file);
        }
    }

    private synchronized boolean releasesNow() {
        if (released || ended) {
            return false;
        }
        released = true;
        if (write) {
            stopWriting();
        }
        return true;
    }

    private void stopWriting() {
        try (var _ = replica.holdExclusively()) {
            replica.writers--;
        }
    }

    private synchronized boolean endsNow() {
        boolean now = !ended;
        ended = true;
        return now;
    }
}
