package org.beefs.honeycomb.store;

import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Replicas that were removed at the queen-bee's word, so that a write that was still under way does not bring them
 * back. Keeps the last {@value #BOUND}. One that was forgotten, or from before a restart, could come back as an orphan,
 * which the next inventory removes. Thread-safe.
 */
final class RecentDrops {
    static final int BOUND = 65_536;

    /** The epoch up to which each was to go; 0 for any. */
    private final SequencedMap<ReplicaId, Long> drops = EldestFirst.map(BOUND);

    synchronized void add(ReplicaId id, long epoch) {
        drops.put(id, epoch);
    }

    synchronized void remove(ReplicaId id) {
        drops.remove(id);
    }

    synchronized boolean contains(ReplicaId id) {
        return drops.containsKey(id);
    }

    /** Whether it was dropped, and the file has not got its place here again since, with a later epoch. */
    synchronized boolean contains(ReplicaId id, long epoch) {
        Long dropped = drops.get(id);
        return dropped != null && (dropped == 0 || Long.compareUnsigned(epoch, dropped) <= 0);
    }
}
