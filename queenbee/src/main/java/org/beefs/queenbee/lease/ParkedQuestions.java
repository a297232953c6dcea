package org.beefs.queenbee.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What requests ask for that are run again and again, until it has come or their patience is over. In memory only: who
 * asked a queen-bee that died asks again. Times are nanoseconds of the boot clock. Belongs to the namespace thread.
 *
 * @param <A> what is asked for
 */
public final class ParkedQuestions<A extends ParkedQuestions.Asked> {
    /** What is asked for, and since when. */
    public abstract static class Asked {
        private final long since;

        protected Asked(long since) {
            this.since = since;
        }

        /** When it was first asked for. */
        public final long since() {
            return since;
        }
    }

    /** The session's own number tells a request from its others. */
    private record Asker(long session, long number) {}

    private final Clock clock;
    private final Duration patience;
    private final int most;
    private final String tooMany;

    /** In the order in which they were asked. */
    private final Map<Asker, A> questions = new LinkedHashMap<>();

    /** Nothing could come before that, because the queen-bee herself was asleep or stopped. */
    private long awakeSince = Long.MIN_VALUE;

    /**
     * @param patience after which somebody has waited in vain
     * @param most questions at a time
     * @param tooMany why a further one is refused
     */
    public ParkedQuestions(Clock clock, Duration patience, int most, String tooMany) {
        this.clock = clock;
        this.patience = patience;
        this.most = most;
        this.tooMany = tooMany;
    }

    /** What a request has asked for; null if it has not yet. */
    public @Nullable A find(long session, long number) {
        return questions.get(new Asker(session, number));
    }

    /**
     * A request that has not asked yet does so.
     *
     * @param made from the time at which it asks
     * @throws PosixException EAGAIN when there are too many questions
     */
    public A ask(long session, long number, LongFunction<A> made) {
        if (questions.size() >= most) {
            throw new PosixException(Errno.EAGAIN, tooMany);
        }
        A asked = made.apply(clock.bootNanos());
        questions.put(new Asker(session, number), asked);
        return asked;
    }

    /** The request is answered. */
    public void forget(long session, long number) {
        questions.remove(new Asker(session, number));
    }

    /** Forgets questions whose requests have gone; returns them. */
    public List<A> forgetIf(Predicate<A> hasGone) {
        List<A> forgotten = new ArrayList<>();
        questions.values().removeIf(asked -> hasGone.test(asked) && forgotten.add(asked));
        return forgotten;
    }

    public Collection<A> all() {
        return Collections.unmodifiableCollection(questions.values());
    }

    /** All who wait have their patience from now on. */
    public void forgiveWaiting() {
        awakeSince = clock.bootNanos();
    }

    /** When a question's patience began: when it was asked, or when the queen-bee herself was stopped last. */
    public long waitingSince(A asked) {
        return Math.max(asked.since(), awakeSince);
    }

    /** Whether so many times the patience have passed since that time. */
    public boolean isOver(long since, int patiences) {
        return clock.bootNanos() - since > patiences * patience.toNanos();
    }
}
