package org.beefs.honeybee.cache;

import java.time.Duration;
import org.beefs.common.wire.Registered;

/**
 * For how long what is leased may be used. Counted on the boot clock from the sending of what the queen-bee answered
 * last, so a process or a machine that was asleep finds its leases ended as soon as it looks. Guarded by the cache's
 * lock, without which anybody may ask {@link #holds}.
 */
final class LeaseTerm {
    /** A generation in which nothing may be cached. */
    static final long NONE = 0;

    private long generation = 1;
    private boolean registered;
    private long heardAt;
    private long silence;
    private long lease;

    /** When leases end, on the boot clock; 0, which is long past, when there are none. */
    private volatile long endsAt;

    /** How often the right to send what is held back has ended. */
    private long doubts;

    /** Whether nobody else had used what is held back when the queen-bee was heard last. */
    private boolean confirmed;

    /** Until then, on the boot clock, what is held back may be sent; 0 while that is not confirmed. */
    private volatile long sendsUntil;

    /**
     * The generation of a request that is made now: its answer may be cached if the generation is still the same when
     * it comes.
     */
    long generation() {
        return registered ? generation : NONE;
    }

    /** Answers to what was asked for before this are not cached. */
    void startGeneration() {
        generation++;
    }

    /** A registration begins: it ends all leases, at a moment that is not known. */
    void end() {
        generation++;
        registered = false;
        setEnd();
    }

    /** @param sentAt when the registration was sent */
    void begin(long sentAt, Registered terms) {
        registered = true;
        heardAt = sentAt;
        silence = terms.getCacheMillis() * 1_000_000L;
        lease = terms.getLeaseMillis() * 1_000_000L;
        setEnd();
    }

    /** The queen-bee has answered something that was sent then. */
    void heard(long sentAt) {
        heardAt = Math.max(heardAt, sentAt);
        setEnd();
    }

    private void setEnd() {
        endsAt = registered ? heardAt + silence : 0;
        sendsUntil = confirmed ? sendingEnds() : 0;
    }

    /** Without leases nothing is held back anew, and there is no silence by which they could end. */
    private long sendingEnds() {
        return silence == 0 ? Long.MAX_VALUE : heardAt + silence;
    }

    /**
     * The right to send what is held back ends: others may use those files, so the queen-bee is asked first.
     *
     * @return for {@link #confirm}
     */
    long doubt() {
        confirmed = false;
        sendsUntil = 0;
        return ++doubts;
    }

    /** As {@link #doubt} if she was silent for too long since that was confirmed last; 0 if she was not. */
    long doubtIfSilent(long now) {
        return confirmed && !maySend(now) ? doubt() : 0;
    }

    /** Whether what is held back may be under way: nothing is from a {@link #doubt} on, when that was cut off. */
    boolean isConfirmed() {
        return confirmed;
    }

    /** Nobody else has used what was held back at that doubt, unless there was another one since. */
    void confirm(long doubt) {
        if (doubt == doubts) {
            confirmed = true;
            setEnd();
        }
    }

    /**
     * Whether what is held back may be sent. A registration that has begun ends leases at once, but not this before it
     * is sent. Anybody may ask.
     */
    boolean maySend(long now) {
        return now < sendsUntil;
    }

    /** For so long what is held back may be sent. */
    Duration sendingLeft(long now) {
        return Duration.ofNanos(Math.max(0, sendsUntil - now));
    }

    /** How often the right to send has ended. */
    long doubts() {
        return doubts;
    }

    boolean isRegistered() {
        return registered;
    }

    /** Whether leases hold. */
    boolean holds(long now) {
        return now < endsAt;
    }

    /** When leases end if nothing is heard; in the past if they have, or there are none. */
    long endsAt() {
        return endsAt;
    }

    /** How long leases hold without hearing anything. */
    Duration silence() {
        return Duration.ofNanos(silence);
    }

    /** How long a kernel may use what it is told now. */
    long remaining(long now) {
        return holds(now) ? Math.max(0, heardAt + lease - now) : 0;
    }
}
