package org.beefs.honeybee;

import java.time.Duration;
import org.beefs.common.time.Clock;

/**
 * How long an operation may still wait for others, from the moment it was asked for, whatever it waits for first.
 *
 * @param until in nanoseconds of the boot clock
 */
public record Patience(Clock clock, long until) {
    public static Patience of(Clock clock, Duration whole) {
        return new Patience(clock, clock.bootNanos() + whole.toNanos());
    }

    /** What is left; never negative. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, until - clock.bootNanos()));
    }
}
