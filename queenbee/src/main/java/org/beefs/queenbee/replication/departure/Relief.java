package org.beefs.queenbee.replication.departure;

import java.time.Duration;
import java.util.function.Predicate;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.ParkedQuestions;
import org.beefs.queenbee.lease.Wait;

/**
 * Writers who have met a full honeycomb, and wait until something has left it. Whether that suffices they find out by
 * writing again. In memory only. Belongs to the namespace thread.
 */
public final class Relief {
    private enum Outcome {
        OPEN,
        SOMETHING_LEFT,
        NOTHING_LEAVES
    }

    private static final class Asked extends ParkedQuestions.Asked {
        private final Honeycomb honeycomb;
        private final long bytes;
        private Outcome outcome = Outcome.OPEN;

        Asked(Honeycomb honeycomb, long bytes, long since) {
            super(since);
            this.honeycomb = honeycomb;
            this.bytes = bytes;
        }
    }

    private final Occasions occasions;
    private final ParkedQuestions<Asked> questions;

    /**
     * @param patience after which somebody has waited in vain
     * @param most questions at a time
     */
    public Relief(Occasions occasions, Clock clock, Duration patience, int most) {
        this.occasions = occasions;
        questions = new ParkedQuestions<>(clock, patience, most, "too many wait for room already");
    }

    /**
     * Parks the request until something has left the honeycomb since it was asked first. Fails with ENOSPC when nothing
     * can, or nothing has for too long.
     *
     * @param bytes that are lacking there; at least 1
     */
    public void require(long session, long number, Honeycomb honeycomb, long bytes) {
        Asked asked = questions.find(session, number);
        if (asked == null) {
            asked = ask(session, number, honeycomb, bytes);
        }
        switch (asked.outcome) {
            case SOMETHING_LEFT -> questions.forget(session, number);
            case NOTHING_LEAVES -> {
                questions.forget(session, number);
                throw full(honeycomb, "nothing can leave it for another desktop");
            }
            case OPEN -> {
                if (isOver(asked, 1)) {
                    questions.forget(session, number);
                    throw full(honeycomb, "nothing has left it for another desktop in time");
                }
                throw new ParkedException(Wait.Occasion.ROOM, "room is made in " + honeycomb.desktop());
            }
        }
    }

    private Asked ask(long session, long number, Honeycomb honeycomb, long bytes) {
        if (honeycomb.isReadOnly()) {
            throw full(honeycomb, "its disk is read-only");
        }
        if (bytes > honeycomb.usable()) {
            throw full(honeycomb, "it can never hold %s more".formatted(new ByteSize(bytes)));
        }
        return questions.ask(session, number, now -> new Asked(honeycomb, bytes, now));
    }

    private static PosixException full(Honeycomb honeycomb, String why) {
        return new PosixException(Errno.ENOSPC, "%s is full, and %s".formatted(honeycomb.desktop(), why));
    }

    private boolean isOver(Asked asked, int times) {
        return questions.isOver(questions.waitingSince(asked), times);
    }

    /** All who wait do so from now on. */
    public void forgiveWaiting() {
        questions.forgiveWaiting();
    }

    /** Bytes that writers lack in a honeycomb; 0 when nobody waits for it. */
    long lack(Honeycomb honeycomb) {
        return questions.all().stream()
                .filter(asked -> asked.honeycomb == honeycomb && asked.outcome == Outcome.OPEN)
                .mapToLong(asked -> asked.bytes)
                .sum();
    }

    /** Whether a writer waits for room in a honeycomb who asked after that time (boot clock, ns). */
    boolean isAskedSince(Honeycomb honeycomb, long time) {
        return questions.all().stream()
                .anyMatch(
                        asked -> asked.honeycomb == honeycomb && asked.outcome == Outcome.OPEN && asked.since() > time);
    }

    /** Whether somebody waits for room anywhere. */
    public boolean isAwaited() {
        return questions.all().stream().anyMatch(asked -> asked.outcome == Outcome.OPEN);
    }

    /** A replica has left a honeycomb. */
    public void left(Honeycomb honeycomb) {
        settle(asked -> asked.honeycomb == honeycomb, Outcome.SOMETHING_LEFT);
    }

    /** Nothing can leave a honeycomb, as a search has shown that began then, by the boot clock. */
    void nothingLeaves(Honeycomb honeycomb, long searched) {
        settle(asked -> asked.honeycomb == honeycomb && asked.since() <= searched, Outcome.NOTHING_LEAVES);
    }

    private void settle(Predicate<Asked> concerned, Outcome outcome) {
        questions.all().stream()
                .filter(asked -> asked.outcome == Outcome.OPEN && concerned.test(asked))
                .forEach(asked -> {
                    asked.outcome = outcome;
                    occasions.arose(Wait.Occasion.ROOM);
                });
    }

    /** Called now and then. */
    public void tick() {
        occasions.arose(Wait.Occasion.ROOM);
        questions.forgetIf(asked -> isOver(asked, 2));
    }
}
