package org.beefs.queenbee.console.model.replication;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executor;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.console.model.question.Scans;
import org.beefs.queenbee.console.model.snapshot.Replication;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts all replicas from time to time, and only while somebody looks. Thread-safe. */
public final class ReplicaCounts implements AutoCloseable {
    /** They are counted anew no sooner. */
    private static final Duration DISTANCE = Duration.ofMinutes(1);

    private static final Duration NOBODY_LOOKS = Duration.ofMinutes(10);
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaCounts.class);

    private final Scans scans;
    private final Clock clock;
    private final Executor executor;
    private volatile Replication last = Replication.UNKNOWN;
    private volatile boolean closed;
    private volatile long lookedAt;

    // Guarded by this.
    private long countedAt;
    private boolean counting;

    /** @param executor for what waits */
    public ReplicaCounts(Scans scans, Clock clock, Executor executor) {
        this.scans = scans;
        this.clock = clock;
        this.executor = executor;
        lookedAt = clock.bootNanos() - NOBODY_LOOKS.toNanos();
        countedAt = clock.bootNanos() - DISTANCE.toNanos();
    }

    /** What the last count has shown. */
    public Replication last() {
        return last;
    }

    /** For the next minutes they are worth counting. */
    public void somebodyLooks() {
        lookedAt = clock.bootNanos();
    }

    /** Counts again if it is time. Does not block. */
    public void countIfSomebodyLooks() {
        if (!mayCount()) {
            return;
        }
        try {
            executor.execute(this::run);
        } catch (OutOfMemoryError noThread) {
            LOG.debug("replicas were not counted: {}", noThread.getMessage());
            counted();
        }
    }

    private void run() {
        try {
            count();
        } catch (PosixException e) {
            LOG.debug("replicas were not counted: {}", e.getMessage());
        } finally {
            counted();
        }
    }

    /** Goes through all files and counts. */
    public void count() {
        ReplicaCount count = new ReplicaCount();
        scans.run(0, Scans.PART, count::visitor, () -> closed);
        last = new Replication(
                clock.now().truncatedTo(ChronoUnit.SECONDS).toString(), count.byDesktop(), count.lacking());
    }

    private synchronized boolean mayCount() {
        long now = clock.bootNanos();
        boolean looks = now - lookedAt < NOBODY_LOOKS.toNanos();
        if (!looks || counting || now - countedAt < DISTANCE.toNanos()) {
            return false;
        }
        counting = true;
        return true;
    }

    private synchronized void counted() {
        counting = false;
        countedAt = clock.bootNanos();
    }

    /** Ends a count that is under way, with what it has seen. */
    @Override
    public void close() {
        closed = true;
    }
}
