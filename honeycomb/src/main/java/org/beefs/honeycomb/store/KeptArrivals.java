package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Versions that have come, are on disk, and wait to become replicas. Forgotten with the process, as the files are.
 * Thread-safe.
 */
final class KeptArrivals {
    /** Versions that are kept: each takes the room of a whole file. */
    private static final int MOST = 64;

    /** The queen-bee asks for one within moments, or when she has answered others; after so long never (ns). */
    private static final long LIFETIME = Duration.ofMinutes(10).toNanos();

    private record Kept(long version, long since) {}

    private final Clock clock;

    /** Versions by replica; the one that waits for longest comes first. Guarded by this. */
    private final SequencedMap<ReplicaId, Kept> versions = new LinkedHashMap<>();

    KeptArrivals(Clock clock) {
        this.clock = clock;
    }

    /**
     * Keeps a version. The answer is a replica whose version is not kept any more, because nobody has asked for it for
     * too long. Fails with EAGAIN when too many are kept: each may be all that there is of a file's newest version.
     */
    synchronized @Nullable ReplicaId add(ReplicaId id, long version) {
        long now = clock.bootNanos();
        versions.remove(id);
        ReplicaId discarded = versions.size() < MOST ? null : pollOld(now);
        versions.putLast(id, new Kept(version, now));
        return discarded;
    }

    private ReplicaId pollOld(long now) {
        if (now - versions.firstEntry().getValue().since() < LIFETIME) {
            throw new PosixException(Errno.EAGAIN, "too many versions wait to become replicas already");
        }
        return versions.pollFirstEntry().getKey();
    }

    /** Takes out what is kept of that replica; whether it was that version. */
    synchronized boolean take(ReplicaId id, long version) {
        Kept waiting = versions.remove(id);
        return waiting != null && waiting.version() == version;
    }
}
