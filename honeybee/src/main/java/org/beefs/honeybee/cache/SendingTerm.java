package org.beefs.honeybee.cache;

import java.time.Duration;

/**
 * For how long what is held back may be sent to honeycombs: until the queen-bee was silent for so long that others may
 * use those files, and after that not before she has said that they did not. Counted as {@link LeaseTerm} is.
 * Thread-safe.
 */
public final class SendingTerm {
    /** When this desktop will have heard nothing for too long, on the boot clock. */
    private long silentFrom;

    /** How often it has ended. */
    private long doubts;

    /** Whether nobody else had used what is held back when the queen-bee was heard last. */
    private boolean confirmed;

    /** It ends then, on the boot clock; 0 while that is not confirmed. */
    private volatile long endsAt;

    /** The queen-bee was heard, or is not known any more; {@code Long.MAX_VALUE} when silence does not matter. */
    synchronized void setSilentFrom(long time) {
        silentFrom = time;
        endsAt = confirmed ? silentFrom : 0;
    }

    /**
     * Others may use the files of which something is held back, so the queen-bee is asked first.
     *
     * @return whether anything may be under way: nothing is from here on, when that is cut off
     */
    synchronized boolean end() {
        boolean held = confirmed;
        confirmed = false;
        endsAt = 0;
        doubts++;
        return held;
    }

    /** Ends it if it has run out by itself. For {@link #confirm}; 0 if it has not, or had ended before. */
    synchronized long endIfOver(long now) {
        return confirmed && !holds(now) && end() ? doubts : 0;
    }

    /** Nobody else has used what was held back at its end of that number, unless there was another one since. */
    public synchronized void confirm(long doubt) {
        if (doubt == doubts) {
            confirmed = true;
            endsAt = silentFrom;
        }
    }

    /** How often it has ended. */
    public synchronized long doubts() {
        return doubts;
    }

    boolean holds(long now) {
        return now < endsAt;
    }

    Duration left(long now) {
        return Duration.ofNanos(Math.max(0, endsAt - now));
    }
}
