package org.beefs.honeycomb.scrub;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.ScrubReport;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.Rot;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rotten replicas, part by part for reports that follow one another. Each part is looked up on the disk's threads
 * beforehand: who reports must not wait for the disk. Thread-safe.
 */
final class RottenList {
    /** Rotten replicas that are named in one report. */
    private static final int MOST = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(RottenList.class);

    private final Rot rot;
    private final Executor disk;
    private final AtomicBoolean listing = new AtomicBoolean();

    /** The part that was looked up last. At first that of no range of inodes: none is above the highest number. */
    private volatile ScrubReport part =
            ScrubReport.newBuilder().setRottenAfter(-1).build();

    /** The last rotten replica of the part; null when the next one begins with the first. Of who is listing. */
    private @Nullable ReplicaId last;

    /** @param disk where rotten replicas are looked up */
    RottenList(Rot rot, Executor disk) {
        this.rot = rot;
        this.disk = disk;
    }

    /** The part that was looked up last, with its range; has the next one looked up. */
    ScrubReport next() {
        if (listing.compareAndSet(false, true)) {
            try {
                disk.execute(this::list);
            } catch (RejectedExecutionException busy) {
                listing.set(false);
            }
        }
        return part;
    }

    private void list() {
        try {
            part = listAfter(last);
        } catch (PosixException e) {
            LOG.warn("what is rotten cannot be told now: {}", e.getMessage());
        } finally {
            listing.set(false);
        }
    }

    private ScrubReport listAfter(@Nullable ReplicaId after) {
        List<ReplicaDescription> rotten = rot.list(after, MOST);
        last = rotten.size() < MOST ? null : ReplicaId.of(rotten.getLast());
        ScrubReport.Builder listed = ScrubReport.newBuilder()
                .setRottenAfter(after == null ? 0 : after.inode())
                .setRottenThrough(last == null ? 0 : last.inode());
        rotten.forEach(replica -> listed.addRotten(ReplicaId.toName(replica)));
        return listed.build();
    }
}
