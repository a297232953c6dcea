package org.beefs.common.time;

import java.time.Instant;

/** Both of a host's clocks. Thread-safe. */
public interface Clock {
    /**
     * Nanoseconds since some fixed moment, going on while the machine sleeps (CLOCK_BOOTTIME): for leases, deadlines
     * and durations. Never goes back.
     */
    long bootNanos();

    /** Whether a moment of the boot clock has come. */
    default boolean isPast(long moment) {
        return bootNanos() >= moment;
    }

    /** The time of day, for what people see. May jump. */
    Instant now();
}
