package org.beefs.honeycomb.scrub;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.ScrubReport;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.beefs.honeycomb.store.ReplicaStore;
import org.beefs.honeycomb.store.Verification;
import org.beefs.honeycomb.store.Verifier.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares replicas with their checksums, one after the other at the pace of background work: first those that wait,
 * then those of the round, of which one begins in each period, and then those that could not be checked before.
 * Thread-safe.
 */
public final class Scrubber implements AutoCloseable {
    /** Bytes that are read at once. A disk gives them in a fraction of a second. */
    private static final long PIECE = 4 << 20;

    /** Bytes that opening a file counts as: it moves the disk's head, however small the file is. */
    private static final long LEAST = 64 << 10;

    /** Bytes of small files that are read together: waking a thread for each would cost more than to read it. */
    private static final long TOGETHER = 16 * LEAST;

    /**
     * Bytes from which on a replica is set aside while others wait to be checked; at the full rate it takes a second.
     */
    private static final long LARGE = 16 << 20;

    /** How long a replica waits that comes while there is nothing to do. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    /** How long a failure that comes with each turn is not said again. */
    private static final Duration SILENCE = Duration.ofHours(1);

    /** Replicas without a version that count as one small file together. */
    private static final int MOST_PASSED = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);

    private final ReplicaStore store;
    private final Clock clock;
    private final Timers timers;
    private final Executor disk;
    private final Pace pace;
    private final Duration period;
    private final Round round;
    private final RottenList rotten;

    // Guarded by this; held while a piece is read.
    private @Nullable Check current;

    /** The check of a large replica that goes on when no others wait. */
    private @Nullable Check aside;

    private final Unchecked unchecked;

    /** Whether nothing is believed before all replicas of the round were checked. */
    private boolean doubtful;

    private boolean closed;

    /** @param ofRound whether it is the round's replica; otherwise it has waited */
    private record Check(Verification verification, boolean ofRound) {}

    /** What was said last in the log, and when (boot clock, ns); of the turn. */
    private volatile String warned = "";

    private volatile long warnedAt;

    /** Somebody wants a round now. */
    private volatile boolean wanted;

    /**
     * @param disk where files are read
     * @param pace how fast
     * @param period between the beginnings of two rounds
     * @param doubtful whether the last stop was not in order, so that nothing is believed before it was compared
     */
    public Scrubber(
            ReplicaStore store,
            Catalog catalog,
            Clock clock,
            Timers timers,
            Executor disk,
            Pace pace,
            Duration period,
            boolean doubtful) {
        this.store = store;
        this.clock = clock;
        this.timers = timers;
        this.disk = disk;
        this.pace = pace;
        this.period = period;
        this.round = new Round(catalog, clock, store.doubts());
        this.unchecked = new Unchecked(clock);
        this.rotten = new RottenList(store.rot(), disk);
        this.doubtful = doubtful;
    }

    /** Begins to work in the background. */
    public synchronized void start() {
        if (doubtful) {
            round.begin(clock.now(), true);
        }
        doubtful = round.isDoubtful();
        if (doubtful) {
            store.doubts().begin();
        }
        timers.schedule(IDLE, this::turn);
    }

    /** Begins a round within seconds, unless one is under way. */
    public void scrubNow() {
        wanted = true;
    }

    /**
     * The progress, and the rotten replicas of the range that follows the last report's, as they were looked up lately.
     * So each report is for the queen-bee, who hears of all in the end. Waits for nothing.
     */
    public ScrubReport report() {
        return rotten.next().toBuilder().mergeFrom(progress()).build();
    }

    /** The progress, and how many replicas are rotten. */
    public ScrubReport progress() {
        ScrubRound state = round.state();
        ScrubReport.Builder report = ScrubReport.newBuilder()
                .setRunning(state.getRunning() || wanted)
                .setReplicas(state.getReplicas())
                .setBytes(state.getBytes())
                .setRottenTotal(store.rot().count());
        if (state.getBegun() != 0) {
            report.setBegunAt(Timestamps.toWire(Instant.ofEpochMilli(state.getBegun())));
        }
        if (state.getCompleted() != 0) {
            report.setCompletedAt(Timestamps.toWire(Instant.ofEpochMilli(state.getCompleted())));
        }
        return report.build();
    }

    private void turn() {
        try {
            disk.execute(this::work);
        } catch (RejectedExecutionException busy) {
            timers.schedule(IDLE, this::turn);
        }
    }

    private void work() {
        long cost;
        try {
            cost = readTogether();
        } catch (RuntimeException | Error e) { // also when there is no memory for a buffer: the next turn must come
            warn("replicas cannot be checked now: " + Failures.toPosix(e).getMessage());
            cost = 0;
        }
        if (cost == 0) {
            timers.schedule(IDLE, this::turn);
        } else if (cost > 0) {
            pay(cost);
        }
    }

    /** The same is not said with each turn. */
    private void warn(String trouble) {
        long now = clock.bootNanos();
        if (!trouble.equals(warned) || now - warnedAt >= SILENCE.toNanos()) {
            warned = trouble;
            warnedAt = now;
            LOG.warn("{}", trouble);
        }
    }

    /**
     * The next turn comes when what was read is paid for. A short time at once, because a pause may be ended before its
     * time.
     */
    private void pay(long cost) {
        pace.admitWithin(cost, IDLE).thenAccept(paid -> {
            if (paid) {
                turn();
            } else {
                letGoOfPointless(cost);
            }
        });
    }

    /** Before it waits on, which may take as long as a pause: what was removed meanwhile gets its room back. */
    private void letGoOfPointless(long cost) {
        try {
            disk.execute(() -> {
                try {
                    endPointless();
                } finally {
                    pay(cost);
                }
            });
        } catch (RejectedExecutionException busy) {
            pay(cost);
        }
    }

    /** As {@link #readPiece}, of some small files. */
    private long readTogether() {
        long cost = 0;
        while (cost < TOGETHER) {
            long next = readPiece();
            if (next <= 0) {
                return cost == 0 ? next : cost;
            }
            cost += next;
        }
        return cost;
    }

    /**
     * Reads a piece. The answer is what it has cost, in bytes; 0 when there was nothing to do, and less when there will
     * not be any more.
     */
    private synchronized long readPiece() {
        if (closed) {
            return -1;
        }
        endPointless();
        if (!pace.paused().isZero()) {
            return 0;
        }
        setLargeAside();
        if (current == null && !begin()) {
            return 0;
        }
        return current == null ? LEAST : read(current);
    }

    private synchronized void endPointless() {
        endIfPointless(current);
        endIfPointless(aside);
    }

    /** A replica that was changed, replaced or removed: its file is closed, which may keep room on the disk. */
    private void endIfPointless(@Nullable Check check) {
        if (check != null && !check.verification().isStillOfVersion()) {
            end(check);
        }
    }

    private void setLargeAside() {
        if (current != null
                && aside == null
                && current.verification().bytes() >= LARGE
                && !store.checks().isEmpty()) {
            aside = current;
            current = null;
        }
    }

    private long read(Check check) {
        Verification verification = check.verification();
        long before = verification.bytes();
        Outcome outcome = Outcome.UNDECIDED; // if this is thrown out of: nobody knows what the checksum has taken in
        try {
            outcome = verification.read(PIECE);
        } finally {
            if (outcome == Outcome.UNDECIDED && verification.isStillOfVersion()) {
                noteUnchecked(verification.id());
            }
            if (outcome != null) {
                end(check);
            }
        }
        round.keepPlace();
        return Math.max(LEAST, verification.bytes() - before);
    }

    private void end(Check check) {
        if (check.equals(aside)) {
            aside = null;
        } else {
            current = null;
        }
        if (check.ofRound()) {
            round.read(check.verification().bytes());
        }
        check.verification().close();
    }

    /** Begins with the next replica, if there is one among the next few; false when there is nothing to do. */
    private boolean begin() {
        for (int passed = 0; passed < MOST_PASSED; passed++) {
            ReplicaId first = store.checks().poll();
            if (aside != null
                    && (first == null || first.equals(aside.verification().id()))) {
                current = aside;
                aside = null;
                return true;
            }
            ReplicaId ofRound = first == null ? nextOfRound(clock.now()) : null;
            ReplicaId other = first == null && ofRound == null ? unchecked.poll() : first;
            ReplicaId next = ofRound == null ? other : ofRound;
            if (next == null) {
                return false;
            }
            Verification begun = begin(next);
            if (begun != null) {
                current = new Check(begun, ofRound != null);
                return true;
            }
        }
        return true;
    }

    private @Nullable Verification begin(ReplicaId id) {
        boolean looked = false;
        try {
            Verification begun = store.verifier().begin(id);
            looked = true;
            return begun;
        } finally {
            if (!looked) {
                noteUnchecked(id);
            }
        }
    }

    private void noteUnchecked(ReplicaId id) {
        unchecked.add(id);
        store.doubts().passBy(id);
    }

    private @Nullable ReplicaId nextOfRound(Instant now) {
        boolean asked = wanted;
        if (asked) {
            wanted = false; // who asks from now on has not been heard yet
        }
        if (!round.isRunning() && (asked || round.isDue(now, period))) {
            round.begin(now, false);
            unchecked.clear();
        }
        ReplicaId next = round.isRunning() ? round.next(now) : null;
        if (next == null && doubtful && unchecked.isEmpty()) {
            doubtful = false;
            store.doubts().end();
        }
        return next;
    }

    /** Waits for the piece that is being read. */
    @Override
    public synchronized void close() {
        closed = true;
        Stream.of(Optional.ofNullable(current), Optional.ofNullable(aside))
                .flatMap(Optional::stream)
                .forEach(check -> check.verification().close());
        current = null;
        aside = null;
    }
}
