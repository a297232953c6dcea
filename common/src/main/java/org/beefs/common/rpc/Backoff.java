package org.beefs.common.rpc;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long each time, up to a bound, of which a random part of up to one
 * half is left out, so that a thousand desktops do not come back at once. Not thread-safe.
 */
final class Backoff {
    private final RandomGenerator random;
    private final Duration first;
    private final Duration longest;
    private long nanos;

    Backoff(RandomGenerator random, Duration first, Duration longest) {
        this.random = random;
        this.first = first;
        this.longest = longest;
        this.nanos = first.toNanos();
    }

    Duration next() {
        long whole = nanos;
        nanos = Math.min(2 * nanos, longest.toNanos());
        return Duration.ofNanos(whole - random.nextLong(whole / 2 + 1));
    }

    void reset() {
        nanos = first.toNanos();
    }
}
