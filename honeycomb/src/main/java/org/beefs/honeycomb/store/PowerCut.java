package org.beefs.honeycomb.store;

import java.time.Instant;
import java.util.Collection;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.state.ReplicaId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica without version looks like says nothing of its content when the machine has lost its power: of what was written last, length
 * and times may be on disk and some pages not, or the other way round. So each is made to look changed, by a nanosecond: it is not taken for what
 * was committed, becomes a version of its own, and is copied as it is. What carries a version is on disk as a whole.
 */
public final class PowerCut {
    private static final Logger LOG = LoggerFactory.getLogger(PowerCut.class);

    private PowerCut() {}

    /** To be done before anything is served, and on disk before. */
    public static void mark(ReplicaFiles files, Collection<ReplicaId> unsealed) {
        int marked = 0;
        for (ReplicaId id : unsealed) {
            try (ReplicaFile file = files.open(id)) {
                if (file != null && file.status().size() > 0) {
                    moveOn(file);
                    marked++;
                }
            }
        }
        if (marked > 0) {
            files.syncAll();
            LOG.warn("the machine was not shut down in order: {} files may have lost what was written last", marked);
        }
    }

    private static void moveOn(ReplicaFile file) {
        boolean immutable = file.isImmutable();
        if (immutable) {
            file.setImmutable(false);
        }
        Instant shown = Timestamps.toInstant(file.status().mtime());
        file.setTimes(SetTimes.newBuilder()
                .setMtime(Timestamps.toWire(shown.plusNanos(1)))
                .build());
        if (immutable) {
            file.setImmutable(true);
        }
    }
}
