package org.beefs.honeycomb.store;

import java.time.Duration;
import java.time.Instant;
import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.OpenReplicas.Use;

/**
 * Looks at a replica that programs may be writing in passthrough, so that every change from then on moves ctime. Three
 * things could change content without that: a write that has begun, which is waited for; a store through a mapping into
 * a page that is dirty already, which ends when the pages have gone to disk; and a change within the tick of the clock
 * that ctime shows, which some time of quiet rules out. Thread-safe.
 *
 * <p>How long it has been quiet is read off the time of day. A ctime that is still to come, because the clock was ahead
 * and was set back, cannot tell: then it is quiet when the same ctime is seen again so long after its first sight, by
 * the clock that never jumps.
 */
final class SteadyLook {
    /** Some ticks of the coarsest clock that file systems take their times from. */
    private static final Duration LEAST_QUIET = Duration.ofMillis(50);

    /** Replicas whose ctime is to come that are remembered; the one of longest ago is forgotten, and begins anew. */
    private static final int MOST_AHEAD = 4096;

    /** The first sight of a ctime that was to come, by the boot clock. */
    private record Sight(Timestamp ctime, long bootNanos) {}

    private final ReplicaFiles files;
    private final OpenReplicas open;
    private final Existence existence;
    private final Observer observer;
    private final Clock clock;

    /** Guarded by itself. */
    private final SequencedMap<ReplicaId, Sight> ahead = EldestFirst.map(MOST_AHEAD);

    SteadyLook(ReplicaFiles files, OpenReplicas open, Existence existence, Observer observer, Clock clock) {
        this.files = files;
        this.open = open;
        this.existence = existence;
        this.observer = observer;
        this.clock = clock;
    }

    /**
     * Fails with EAGAIN when the replica was changed so lately, and with EINVAL when so short a time says nothing.
     * Waits for the disk.
     *
     * @param quiet for how long nobody may have changed it
     */
    ReplicaStatus at(ReplicaTarget target, Duration quiet) {
        if (quiet.compareTo(LEAST_QUIET) < 0) {
            throw new PosixException(Errno.EINVAL, "no file is quiet after " + quiet.toMillis() + " ms");
        }
        Authority.EITHER.check(target);
        try (Use use = open.use(ReplicaId.of(target))) {
            Replica replica = use.replica();
            // The order is not held: others read and write meanwhile.
            ReplicaFile file = existence.find(replica, target);
            if (file != null) {
                checkQuiet(replica, file.status().ctime(), quiet);
                file.finishWrites();
                replica.sync(files, file, false);
            }
            ReplicaStatus seen = observer.observe(replica, file);
            if (file != null) {
                checkQuiet(replica, seen.getCtime(), quiet);
            }
            return seen;
        }
    }

    private void checkQuiet(Replica replica, Timestamp ctime, Duration quiet) {
        Instant now = clock.now();
        Instant changed = Timestamps.toInstant(ctime);
        boolean isQuiet = changed.isAfter(now)
                ? clock.bootNanos() - firstSight(replica.id(), ctime) >= quiet.toNanos()
                : !changed.isAfter(now.minus(quiet));
        if (!isQuiet) {
            throw new PosixException(Errno.EAGAIN, replica.id() + " is being changed");
        }
    }

    /** When this ctime, which is to come, was first seen at the replica (boot clock, ns). */
    private long firstSight(ReplicaId id, Timestamp ctime) {
        synchronized (ahead) {
            Sight seen = ahead.get(id);
            if (seen == null || !seen.ctime().equals(ctime)) {
                seen = new Sight(ctime, clock.bootNanos());
                ahead.putLast(id, seen);
            }
            return seen.bootNanos();
        }
    }
}
