package org.beefs.common.rpc;

import java.time.Duration;

/**
 * How many bytes may be on their way at a time, to one peer or from it: few at first, twice as many whenever they have
 * come soon, and half when that has taken long. So what is under way comes in seconds, however slow the network is.
 * Thread-safe.
 */
public final class Allowance {
    private static final Duration SOON = Duration.ofSeconds(1);

    /** Time that is long: more than twice as long as is soon, so that what was doubled is not halved again. */
    private static final Duration LONG = Duration.ofSeconds(3);

    private final int least;
    private final int most;

    /** Guarded by this. */
    private int bytes;

    /**
     * @param least bytes, allowed at first
     * @param most bytes
     */
    public Allowance(int least, int most) {
        this.least = least;
        this.most = most;
        this.bytes = least;
    }

    public synchronized int bytes() {
        return bytes;
    }

    /**
     * Something has come.
     *
     * @param full whether it was about as much as allowed: less does not show that there could have been more
     * @param nanos that it took
     */
    public synchronized void came(boolean full, long nanos) {
        if (nanos > LONG.toNanos()) {
            halve();
        } else if (nanos < SOON.toNanos() && full) {
            bytes = Math.min(most, 2 * bytes);
        }
    }

    /** Something has not come, or nobody knows. */
    public synchronized void halve() {
        bytes = Math.max(least, bytes / 2);
    }
}
