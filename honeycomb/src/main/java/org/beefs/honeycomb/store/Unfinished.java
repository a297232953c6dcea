package org.beefs.honeycomb.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Incoming files and their space: what nobody works on counts as used, and of what is worked on the rest is reserved.
 * At most as many as there are incoming files. Thread-safe.
 */
final class Unfinished {
    private final ReplicaFiles files;
    private final Space space;

    /** Bytes that are counted of each replica. */
    private final Map<ReplicaId, Long> counted = new ConcurrentHashMap<>();

    Unfinished(ReplicaFiles files, Space space) {
        this.files = files;
        this.space = space;
    }

    /** Bytes of an incoming file that are counted as used. */
    long bytes(ReplicaId id) {
        return counted.getOrDefault(id, 0L);
    }

    /** As {@link ReplicaFiles#incoming}; {@link #leave} follows. */
    ReplicaFile open(ReplicaId id) {
        ReplicaFile file = files.incoming(id);
        counted.putIfAbsent(id, 0L);
        return file;
    }

    /** Counts what a file takes on which nobody works any more, if it is still incoming. */
    void leave(ReplicaId id, ReplicaFile file) {
        counted.computeIfPresent(id, (_, before) -> {
            long now = file.status().allocated();
            space.countUnfinished(now - before);
            return now;
        });
    }

    /** As {@link ReplicaFiles#install}. */
    void install(ReplicaId id) {
        files.install(id);
        forget(id);
    }

    /** As {@link ReplicaFiles#discardIncoming}. */
    void discard(ReplicaId id) {
        files.discardIncoming(id);
        forget(id);
    }

    private void forget(ReplicaId id) {
        Long before = counted.remove(id);
        if (before != null) {
            space.countUnfinished(-before);
        }
    }
}
