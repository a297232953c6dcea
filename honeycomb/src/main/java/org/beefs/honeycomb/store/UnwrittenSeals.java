package org.beefs.honeycomb.store;

import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Seals that replicas have shown, and that could not be written on them, as when their disk was full. The primary goes
 * on elsewhere then. As long as the replica shows what was committed, it has nothing that nobody else has. In memory
 * only: after a restart the replica counts as changed. Thread-safe.
 */
final class UnwrittenSeals {
    /** Seals that are remembered; the one that came longest ago goes first. */
    private static final int MOST = 4096;

    private final SequencedMap<ReplicaId, Seal> seals = EldestFirst.map(MOST);

    /** The replica showed what was committed, and could not be sealed. */
    synchronized void add(ReplicaId id, Seal seal) {
        seals.putLast(id, seal);
    }

    /** The replica carries what was committed. */
    synchronized void remove(ReplicaId id) {
        seals.remove(id);
    }

    /** The last one that could not be written on a replica; null if there is none. */
    synchronized @Nullable Seal find(ReplicaId id) {
        return seals.get(id);
    }
}
