package org.beefs.cli.warmup;

import java.time.Duration;
import org.beefs.common.time.Clock;

/**
 * For how long nothing has come. While the machine sleeps nothing can, so it begins anew when that is over. For one
 * thread.
 */
final class Standstill {
    /** A pause is shorter than this unless the machine sleeps. */
    private static final Duration ASLEEP = Duration.ofMinutes(1);

    private final Clock clock;

    /** By the boot clock, in nanoseconds. */
    private long begun;

    /** Begins now. */
    Standstill(Clock clock) {
        this.clock = clock;
        end();
    }

    /** Something has come, or was asked for. */
    void end() {
        begun = clock.bootNanos();
    }

    /**
     * Pauses between two looks. Only a pause tells of a sleep: a look may take minutes by itself, as its questions go
     * over the network.
     */
    void pause(Runnable pause) {
        long before = clock.bootNanos();
        pause.run();
        long now = clock.bootNanos();
        if (now - before > ASLEEP.toNanos()) {
            begun = now;
        }
    }

    /** Whether it has lasted for longer. */
    boolean exceeds(Duration patience) {
        return clock.bootNanos() - begun > patience.toNanos();
    }
}
