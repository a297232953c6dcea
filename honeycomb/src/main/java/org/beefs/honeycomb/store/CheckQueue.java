package org.beefs.honeycomb.store;

import java.util.LinkedHashSet;
import java.util.Set;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that are to be checked before others: those that got a version lately, whose content is still in the page
 * cache, and those that somebody opened before they were checked. At most {@value #BOUND}; what finds no place comes
 * with the next round. Thread-safe.
 */
public final class CheckQueue {
    static final int BOUND = 65_536;

    private final Set<ReplicaId> waiting = new LinkedHashSet<>();

    synchronized void add(ReplicaId id) {
        if (waiting.size() < BOUND) {
            waiting.add(id);
        }
    }

    /** This replica was checked. */
    synchronized void remove(ReplicaId id) {
        waiting.remove(id);
    }

    /** Whether none waits. */
    public synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes the replica that waits for longest; null when none does. */
    public synchronized @Nullable ReplicaId poll() {
        if (waiting.isEmpty()) {
            return null;
        }
        ReplicaId first = waiting.iterator().next();
        waiting.remove(first);
        return first;
    }
}
