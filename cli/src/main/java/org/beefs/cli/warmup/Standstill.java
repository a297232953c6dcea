package org.beefs.cli.warmup;

import java.time.Duration;
import org.beefs.common.time.Clock;

/**
 * For how long nothing has come. While the machine sleeps nothing can, so it begins anew when that is over. For one
 * thread.
 */
final class Standstill {
    /** Looks follow one another faster than this unless the machine sleeps. */
    private static final Duration ASLEEP = Duration.ofMinutes(1);

    private final Clock clock;

    // By the boot clock, in nanoseconds.
    private long begun;
    private long lookedAt;

    /** Begins now. */
    Standstill(Clock clock) {
        this.clock = clock;
        end();
    }

    /** Something has come, or was asked for. */
    void end() {
        begun = clock.bootNanos();
        lookedAt = begun;
    }

    /** Whether it has lasted for longer; to be asked at each look at which nothing has come. */
    boolean exceeds(Duration patience) {
        long now = clock.bootNanos();
        if (now - lookedAt > ASLEEP.toNanos()) {
            begun = now;
        }
        lookedAt = now;
        return now - begun > patience.toNanos();
    }
}
