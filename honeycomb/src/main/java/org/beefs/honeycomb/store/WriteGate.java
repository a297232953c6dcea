package org.beefs.honeycomb.store;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Decides whether replicas may be changed: all of them only while the queen-bee is heard, by the lease that she gives
 * the desktop; and some not even then, because she has not said yet, or has denied, that they are still this desktop's
 * to write. Thread-safe.
 */
public final class WriteGate {
    private final Clock clock;
    private final Set<ReplicaId> closed = ConcurrentHashMap.newKeySet();
    private volatile boolean leased;
    private volatile long leaseEnd;

    /**
     * Nothing may be changed before the first {@link #lease}.
     *
     * @param closed replicas whose files are immutable
     */
    public WriteGate(Clock clock, Collection<ReplicaId> closed) {
        this.clock = clock;
        this.closed.addAll(closed);
    }

    /** Whether the lease holds. */
    boolean isLeased() {
        return leased && !isOver(leaseEnd);
    }

    /** Whether a lease that holds until then has run out. */
    boolean isOver(long until) {
        return clock.bootNanos() >= until;
    }

    /** A lease begins that holds until then, by the boot clock: maybe under shorter terms than the one before. */
    public synchronized void lease(long until) {
        leaseEnd = until;
        leased = true;
    }

    /** The lease holds at least until then; false, and nothing done, when it had run out already. */
    synchronized boolean extend(long until) {
        boolean holds = isLeased();
        if (holds) {
            leaseEnd = Math.max(leaseEnd, until);
        }
        return holds;
    }

    /** Ends a lease that has run out, so that only {@link #lease} brings it back; false when it holds. */
    synchronized boolean endIfOver() {
        leased = isLeased();
        return !leased;
    }

    /** Nanoseconds that are left of the lease. */
    long left() {
        return leased ? Math.max(0, leaseEnd - clock.bootNanos()) : 0;
    }

    /** Fails with EAGAIN while the lease does not hold: nothing was done, and it may be tried again. */
    void checkLease() {
        if (!isLeased()) {
            throw new PosixException(
                    Errno.EAGAIN, "this honeycomb has not heard the queen-bee for so long that it takes no changes");
        }
    }

    /**
     * Fails with ESTALE while the replica is closed: the queen-bee has to be asked where the file is. With EAGAIN when
     * the lease has run out since it was looked at, because files are closed for that alone.
     */
    void checkOpen(ReplicaId id) {
        if (closed.contains(id)) {
            checkLease();
            throw new PosixException(Errno.ESTALE, id + " waits for the queen-bee's word whether it may be written");
        }
    }

    boolean isOpen(ReplicaId id) {
        return isLeased() && !closed.contains(id);
    }

    boolean isClosed(ReplicaId id) {
        return closed.contains(id);
    }

    /** Closes a replica; false when it was closed before. */
    boolean close(ReplicaId id) {
        return closed.add(id);
    }

    void open(ReplicaId id) {
        closed.remove(id);
    }

    /** Replicas that are closed now. */
    Set<ReplicaId> closed() {
        return Set.copyOf(closed);
    }
}
