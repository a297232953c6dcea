package org.beefs.common.rpc;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long each time, from {@link #FIRST} to {@link #LONGEST}, of which
 * a random part of up to one half is left out, so that a thousand desktops do not come back at once. Not thread-safe.
 */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(50);
    static final Duration LONGEST = Duration.ofSeconds(1);

    private final RandomGenerator random;
    private long nanos = FIRST.toNanos();

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    Duration next() {
        long whole = nanos;
        nanos = Math.min(2 * nanos, LONGEST.toNanos());
        return Duration.ofNanos(whole - random.nextLong(whole / 2 + 1));
    }

    void reset() {
        nanos = FIRST.toNanos();
    }
}
