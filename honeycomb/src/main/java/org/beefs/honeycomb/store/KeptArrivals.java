package org.beefs.honeycomb.store;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Versions that have come, are on disk, and wait to become replicas. Forgotten with the process, as the files are.
 * Thread-safe.
 */
final class KeptArrivals {
    /** Each takes the room of a whole file, and the queen-bee asks for one within moments, or never. */
    private static final int MOST = 64;

    /** By replica, that first that waits for longest. Guarded by this. */
    private final SequencedMap<ReplicaId, Long> versions = new LinkedHashMap<>();

    /** A version waits from now on. What comes back does not wait any more, because there are too many. */
    synchronized @Nullable ReplicaId add(ReplicaId id, long version) {
        versions.putLast(id, version);
        if (versions.size() <= MOST) {
            return null;
        }
        return versions.pollFirstEntry().getKey();
    }

    /** Whatever waits for that replica does not any more; whether it is that version. */
    synchronized boolean take(ReplicaId id, long version) {
        Long waiting = versions.remove(id);
        return waiting != null && waiting == version;
    }
}
