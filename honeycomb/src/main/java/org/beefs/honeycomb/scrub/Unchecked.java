package org.beefs.honeycomb.scrub;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that could not be looked at, or of which nothing could be concluded, as when too many files are open or the
 * catalog's disk is full. They are tried again when all others were checked, and no attempt has failed for a minute.
 * What has failed {@value #MOST_FAILURES} times since the round began is left to the next one: its trouble may stay,
 * and others wait for the end of this one. So are replicas that find no place here. For one thread at a time.
 */
final class Unchecked {
    /** Replicas that have failed in one round. */
    private static final int BOUND = 65_536;

    private static final int MOST_FAILURES = 5;

    /** Nanoseconds after a failure in which none is tried. */
    private static final long PAUSE = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private final Set<ReplicaId> waiting = new LinkedHashSet<>();

    /** How often replicas could not be checked since the round began. */
    private final Map<ReplicaId, Integer> failures = new HashMap<>();

    private long failedAt;

    Unchecked(Clock clock) {
        this.clock = clock;
    }

    /** A round begins, which comes to all replicas. */
    void clear() {
        waiting.clear();
        failures.clear();
    }

    /** This replica could not be checked now. */
    void add(ReplicaId id) {
        failedAt = clock.bootNanos();
        if (failures.size() == BOUND && !failures.containsKey(id)) {
            return;
        }
        if (failures.merge(id, 1, Integer::sum) < MOST_FAILURES) {
            waiting.add(id);
        } else {
            waiting.remove(id);
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
