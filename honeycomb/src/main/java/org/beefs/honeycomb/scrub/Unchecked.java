package org.beefs.honeycomb.scrub;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that could not be looked at, or of which nothing could be concluded, as when too many files are open or the
 * catalog's disk is full. They are tried again when all others were checked, and it has not failed for a minute. At
 * most {@value #BOUND}; what finds no place comes with the next round. For one thread at a time.
 */
final class Unchecked {
    private static final int BOUND = 65_536;

    /** Nanoseconds after a failure in which none is tried. */
    private static final long PAUSE = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private final Set<ReplicaId> waiting = new LinkedHashSet<>();
    private long failedAt;

    Unchecked(Clock clock) {
        this.clock = clock;
    }

    /** It could not be checked now. */
    void add(ReplicaId id) {
        failedAt = clock.bootNanos();
        if (waiting.size() < BOUND) {
            waiting.add(id);
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes the replica that waits for longest; null when none is to be tried now. */
    @Nullable
    ReplicaId poll() {
        if (waiting.isEmpty() || clock.bootNanos() - failedAt < PAUSE) {
            return null;
        }
        ReplicaId first = waiting.iterator().next();
        waiting.remove(first);
        return first;
    }
}
