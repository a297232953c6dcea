package org.beefs.honeycomb.store;

import java.util.LinkedHashSet;
import java.util.Set;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Replicas that were removed at the queen-bee's word, so that a write that was still under way does not bring them
 * back. Keeps the last {@value #BOUND}. One that was forgotten, or from before a restart, could come back as an orphan,
 * which the next inventory removes. Thread-safe.
 */
final class RecentDrops {
    static final int BOUND = 65_536;

    private final Set<ReplicaId> drops = new LinkedHashSet<>();

    synchronized void add(ReplicaId id) {
        if (drops.add(id) && drops.size() > BOUND) {
            drops.remove(drops.iterator().next());
        }
    }

    synchronized void remove(ReplicaId id) {
        drops.remove(id);
    }

    synchronized boolean contains(ReplicaId id) {
        return drops.contains(id);
    }
}
