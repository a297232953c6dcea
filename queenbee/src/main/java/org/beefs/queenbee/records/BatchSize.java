package org.beefs.queenbee.records;

import java.time.Duration;

/**
 * How many bytes of records a catalog is told at a time: few at first, twice as many whenever they were written soon,
 * and half when that has taken long. Heartbeats and recalls wait behind them on the same connection, and over a slow
 * network a whole batch would take longer than these may. What its disk takes counts as well. Belongs to the namespace
 * thread.
 */
final class BatchSize {
    /** At 250 kbit/s they take two seconds. */
    static final int LEAST = 64 * 1024;

    /** Some thousand records. */
    static final int MOST = 1024 * 1024;

    private static final Duration SOON = Duration.ofSeconds(1);

    /** More than twice as long as is soon, so that what was doubled is not halved again. */
    private static final Duration LONG = Duration.ofSeconds(3);

    private int bytes = LEAST;

    int bytes() {
        return bytes;
    }

    /**
     * A batch is written.
     *
     * @param told its size in bytes; one that was not full does not show that there could have been more
     * @param nanos since it was encoded
     */
    void written(int told, long nanos) {
        if (nanos > LONG.toNanos()) {
            halve();
        } else if (nanos < SOON.toNanos() && told >= bytes) {
            bytes = Math.min(MOST, 2 * bytes);
        }
    }

    /** A batch has not been written, or nobody knows. */
    void halve() {
        bytes = Math.max(LEAST, bytes / 2);
    }
}
