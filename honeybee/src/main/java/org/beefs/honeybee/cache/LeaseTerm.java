package org.beefs.honeybee.cache;

import java.time.Duration;
import org.beefs.common.wire.Registered;
import org.beefs.honeybee.heldback.SendingTerm;

/**
 * For how long what is leased may be used. Counted on the boot clock from the sending of what the queen-bee answered
 * last, so a process or a machine that was asleep finds its leases ended as soon as it looks. Guarded by the cache's
 * lock, without which anybody may ask {@link #holds}.
 */
final class LeaseTerm {
    /** A generation in which nothing may be cached. */
    static final long NONE = 0;

    private final SendingTerm sending;
    private long generation = 1;
    private boolean registered;
    private long heardAt;
    private long silence;
    private long lease;

    /** When leases end, on the boot clock; 0, which is long past, when there are none. */
    private volatile long endsAt;

    /** @param sending goes on as long as the queen-bee is heard */
    LeaseTerm(SendingTerm sending) {
        this.sending = sending;
    }

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
        sending.setSilentFrom(silence == 0 ? Long.MAX_VALUE : heardAt + silence); // without leases nothing is held back
    }

    boolean isRegistered() {
        return registered;
    }

    /** Whether leases hold no more because nothing was heard. */
    boolean isSilent(long now) {
        return registered && silence != 0 && !holds(now);
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
