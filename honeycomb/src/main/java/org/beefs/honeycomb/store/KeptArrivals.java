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
    /**
     * Versions that are kept: each takes the room of a whole file, and the queen-bee asks for one within moments, or
     * never.
     */
    private static final int MOST = 64;

    /** Versions by replica; the one that waits for longest comes first. Guarded by this. */
    private final SequencedMap<ReplicaId, Long> versions = new LinkedHashMap<>();

    /** Keeps a version. The answer is a replica whose version is not kept any more, because there are too many. */
    synchronized @Nullable ReplicaId add(ReplicaId id, long version) {
        versions.putLast(id, version);
        if (versions.size() <= MOST) {
            return null;
        }
        return versions.pollFirstEntry().getKey();
    }

    /** Takes out what is kept of that replica; whether it was that version. */
    synchronized boolean take(ReplicaId id, long version) {
        Long waiting = versions.remove(id);
        return waiting != null && waiting == version;
    }
}
