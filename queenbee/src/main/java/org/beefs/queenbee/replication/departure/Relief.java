package org.beefs.queenbee.replication.departure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;

/**
 * Writers who have met a full honeycomb, and wait until something has left it. Whether that suffices they find out by
 * writing again. In memory only: who asked a queen-bee that died asks again. Belongs to the namespace thread.
 */
public final class Relief {
    /** Somebody's question; the session's own number tells it from its others. */
    private record Question(long session, long number) {}

    private enum Outcome {
        OPEN,
        SOMETHING_LEFT,
        NOTHING_LEAVES
    }

    private static final class Asked {
        private final Honeycomb honeycomb;
        private final long bytes;

        /** When somebody first asked (boot clock, ns). */
        private final long since;

        private Outcome outcome = Outcome.OPEN;

        Asked(Honeycomb honeycomb, long bytes, long since) {
            this.honeycomb = honeycomb;
            this.bytes = bytes;
            this.since = since;
        }
    }

    private final Occasions occasions;
    private final Clock clock;
    private final Duration patience;
    private final int most;
    private final Map<Question, Asked> questions = new LinkedHashMap<>();

    /** Nothing could leave before that, because the queen-bee herself was asleep or stopped. */
    private long awakeSince = Long.MIN_VALUE;

    /**
     * @param patience after which somebody has waited in vain
     * @param most questions at a time
     */
    public Relief(Occasions occasions, Clock clock, Duration patience, int most) {
        this.occasions = occasions;
        this.clock = clock;
        this.patience = patience;
        this.most = most;
    }

    /**
     * Parks the request until something has left the honeycomb since it was asked first. Fails with ENOSPC when nothing
     * can, or nothing has for too long.
     *
     * @param bytes that are lacking there; at least 1
     */
    public void require(long session, long number, Honeycomb honeycomb, long bytes) {
        Question question = new Question(session, number);
        Asked asked = questions.get(question);
        if (asked == null) {
            asked = ask(question, honeycomb, bytes);
        }
        switch (asked.outcome) {
            case SOMETHING_LEFT -> questions.remove(question);
            case NOTHING_LEAVES -> {
                questions.remove(question);
                throw full(honeycomb, "nothing can leave it for another desktop");
            }
            case OPEN -> {
                if (isOver(asked, 1)) {
                    questions.remove(question);
                    throw full(honeycomb, "nothing has left it for another desktop in time");
                }
                throw new ParkedException(Wait.Occasion.ROOM, "room is made in " + honeycomb.desktop());
            }
        }
    }

    private Asked ask(Question question, Honeycomb honeycomb, long bytes) {
        if (bytes > honeycomb.usable()) {
            throw full(honeycomb, "it can never hold %s more".formatted(new ByteSize(bytes)));
        }
        if (questions.size() >= most) {
            throw new PosixException(Errno.EAGAIN, "too many wait for room already");
        }
        Asked asked = new Asked(honeycomb, bytes, clock.bootNanos());
        questions.put(question, asked);
        return asked;
    }

    private static PosixException full(Honeycomb honeycomb, String why) {
        return new PosixException(Errno.ENOSPC, "%s is full, and %s".formatted(honeycomb.desktop(), why));
    }

    private boolean isOver(Asked asked, int times) {
        return clock.bootNanos() - Math.max(asked.since, awakeSince) > times * patience.toNanos();
    }

    /** All who wait do so from now on. */
    public void forgiveWaiting() {
        awakeSince = clock.bootNanos();
    }

    /** Bytes that writers lack in a honeycomb; 0 when nobody waits for it. */
    long lack(Honeycomb honeycomb) {
        return questions.values().stream()
                .filter(asked -> asked.honeycomb == honeycomb && asked.outcome == Outcome.OPEN)
                .mapToLong(asked -> asked.bytes)
                .sum();
    }

    /** Whether somebody waits for room anywhere. */
    public boolean isAwaited() {
        return questions.values().stream().anyMatch(asked -> asked.outcome == Outcome.OPEN);
    }

    /** A replica has left a honeycomb. */
    public void left(Honeycomb honeycomb) {
        settle(asked -> asked.honeycomb == honeycomb, Outcome.SOMETHING_LEFT);
    }

    /** Nothing can leave a honeycomb, as a search has shown that began then, by the boot clock. */
    void nothingLeaves(Honeycomb honeycomb, long searched) {
        settle(asked -> asked.honeycomb == honeycomb && asked.since <= searched, Outcome.NOTHING_LEAVES);
    }

    private void settle(Predicate<Asked> concerned, Outcome outcome) {
        questions.values().stream()
                .filter(asked -> asked.outcome == Outcome.OPEN && concerned.test(asked))
                .forEach(asked -> {
                    asked.outcome = outcome;
                    occasions.arose(Wait.Occasion.ROOM);
                });
    }

    /** Called now and then. */
    public void tick() {
        occasions.arose(Wait.Occasion.ROOM);
        questions.values().removeIf(asked -> isOver(asked, 2)); // whose request is not here any more
    }
}
