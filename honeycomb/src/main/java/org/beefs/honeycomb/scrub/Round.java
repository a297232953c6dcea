package org.beefs.honeycomb.scrub;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.beefs.honeycomb.store.Doubts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One way through all replicas in the order of the catalog, which goes on after a restart where it was: its place is
 * written down once for each page, and every minute. What two starts have begun to read, and not read to its end, is
 * passed by, so that the round gets past it where the machine never runs for long enough. For one thread at a time, but
 * for {@link #state}.
 */
final class Round {
    private static final int PAGE = 256;

    /** Nanoseconds between two writes of the place: a restart reads again what was read since the last. */
    private static final long BETWEEN_PLACES = Duration.ofMinutes(1).toNanos();

    /** Starts that begin to read the same replica. */
    private static final int MOST_STARTS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(Round.class);

    private final Catalog catalog;
    private final Clock clock;
    private final Doubts doubts;
    private final Deque<ReplicaId> page = new ArrayDeque<>();
    private volatile ScrubRound state;

    /** The replica up to which all were read, or passed by. */
    private @Nullable ReplicaId done;

    private @Nullable ReplicaId reading;

    /** The replica that earlier starts have begun to read, and how many have; null when it was read or passed by. */
    private @Nullable ReplicaId interrupted;

    private int starts;

    /** When the place was written down last (boot clock, ns). */
    private long kept;

    /** @param doubts hear how far it has come */
    Round(Catalog catalog, Clock clock, Doubts doubts) {
        this.catalog = catalog;
        this.doubts = doubts;
        this.clock = clock;
        this.state = catalog.scrub().round();
        this.done = replica(state.getAfterInode(), state.getAfterGeneration());
        this.interrupted = replica(state.getReadingInode(), state.getReadingGeneration());
        this.starts = state.getReadingStarts();
        this.kept = clock.bootNanos();
    }

    private static @Nullable ReplicaId replica(long inode, int generation) {
        return inode == 0 ? null : new ReplicaId(inode, generation);
    }

    ScrubRound state() {
        return state;
    }

    boolean isRunning() {
        return state.getRunning();
    }

    /** Whether the period has passed since the latest round began. A clock that was put back begins one at once. */
    boolean isDue(Instant now, Duration period) {
        Instant begun = Instant.ofEpochMilli(state.getBegun());
        return !isRunning() && (begun.isAfter(now) || !now.isBefore(begun.plus(period)));
    }

    /** Whether the round that is running has begun because nothing was believed, maybe by an earlier start. */
    boolean isDoubtful() {
        return state.getDoubtful();
    }

    /**
     * Begins a round with the first replica.
     *
     * @param doubtful whether nothing is believed before the round is over
     */
    void begin(Instant now, boolean doubtful) {
        page.clear();
        done = null;
        reading = null;
        interrupted = null;
        save(ScrubRound.newBuilder()
                .setBegun(now.toEpochMilli())
                .setCompleted(state.getCompleted())
                .setRunning(true)
                .setDoubtful(doubtful)
                .build());
    }

    /** The next replica, which is read to its end before the one after it; null when the round is over. */
    @Nullable
    ReplicaId next(Instant now) {
        toNext(now);
        if (reading != null && reading.equals(interrupted) && starts >= MOST_STARTS) {
            LOG.warn(
                    "{} was not checked in this round: the machine was stopped twice before all of it was read",
                    reading);
            doubts.passBy(reading);
            toNext(now);
        }
        return reading;
    }

    private void toNext(Instant now) {
        if (reading != null) {
            end();
        }
        if (page.isEmpty()) {
            turnPage(now);
        }
        reading = page.poll();
    }

    private void end() {
        if (reading != null && reading.equals(interrupted)) {
            interrupted = null;
        }
        if (reading != null) {
            doubts.pass(reading);
        }
        done = reading;
        reading = null;
    }

    /** The replica was read. */
    void read(long bytes) {
        end();
        state = state.toBuilder()
                .setReplicas(state.getReplicas() + 1)
                .setBytes(state.getBytes() + bytes)
                .build();
    }

    /** Writes its place down if it was not for a minute. To be called while it goes on. */
    void keepPlace() {
        long now = clock.bootNanos();
        if (isRunning() && now - kept >= BETWEEN_PLACES) {
            kept = now; // also when it fails: then it is tried in a minute
            save(place().build());
        }
    }

    private void turnPage(Instant now) {
        List<ReplicaDescription> next = catalog.page(done, PAGE);
        kept = clock.bootNanos();
        if (next.isEmpty()) {
            save(place().setRunning(false)
                    .setDoubtful(false)
                    .setCompleted(now.toEpochMilli())
                    .build());
            return;
        }
        save(place().build());
        next.forEach(description -> page.add(ReplicaId.of(description)));
    }

    private ScrubRound.Builder place() {
        ScrubRound.Builder place =
                state.toBuilder().clearReadingInode().clearReadingGeneration().clearReadingStarts();
        if (done != null) {
            place.setAfterInode(done.inode()).setAfterGeneration(done.generation());
        }
        ReplicaId unread = reading == null ? interrupted : reading;
        if (unread != null) {
            place.setReadingInode(unread.inode())
                    .setReadingGeneration(unread.generation())
                    .setReadingStarts(startsWith(unread));
        }
        return place;
    }

    private int startsWith(ReplicaId unread) {
        int before = unread.equals(interrupted) ? starts : 0;
        return unread.equals(reading) ? before + 1 : before;
    }

    private void save(ScrubRound latest) {
        catalog.scrub().putRound(latest);
        state = latest;
    }
}
