package org.beefs.honeycomb.store;

import java.time.Duration;
import java.time.Instant;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Looks at a replica that programs may be writing past the store, so that every change from then on moves ctime. Three
 * things could change content without that: a write that has begun, which is waited for; a store through a mapping into
 * a page that is dirty already, which ends when the pages have gone to disk; and a change within the tick of the clock
 * that ctime shows, which some time of quiet rules out. Thread-safe.
 */
final class SteadyLook {
    /** Some ticks of the coarsest clock that file systems take their times from. */
    private static final Duration LEAST_QUIET = Duration.ofMillis(50);

    private final ReplicaFiles files;
    private final OpenReplicas open;
    private final Existence existence;
    private final Observer observer;
    private final Clock clock;

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
        Replica replica = open.use(ReplicaId.of(target));
        try {
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
        } finally {
            open.leave(replica);
        }
    }

    private void checkQuiet(Replica replica, Timestamp ctime, Duration quiet) {
        Instant changed = Instant.ofEpochSecond(ctime.getSeconds(), ctime.getNanos());
        if (changed.isAfter(clock.now().minus(quiet))) {
            throw new PosixException(Errno.EAGAIN, replica.id() + " is being changed");
        }
    }
}
