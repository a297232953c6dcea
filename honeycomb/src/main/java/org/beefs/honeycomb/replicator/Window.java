package org.beefs.honeycomb.replicator;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.store.Checksums;

/**
 * How much content is asked of one source at a time: little at first, twice as much whenever that has come soon, and
 * half when it has taken long. So what is under way comes in seconds, however slow the network is, and little is lost
 * with the time of a request. Thread-safe.
 */
final class Window {
    /** With less, more would be asked than copied. 15 s, which is what a request has, bring it at 140 kbit/s. Bytes. */
    static final int LEAST = 2 * Checksums.BLOCK;

    /** As much as checksums are told of at a time. Bytes. */
    static final int MOST = Checksums.MOST_BLOCKS * Checksums.BLOCK;

    private static final Duration SOON = Duration.ofSeconds(1);

    /** More than twice as long, so that what was doubled is not halved again. */
    private static final Duration LONG = Duration.ofSeconds(3);

    private final Clock clock;

    /** Guarded by this. */
    private int bytes = LEAST;

    Window(Clock clock) {
        this.clock = clock;
    }

    synchronized int bytes() {
        return bytes;
    }

    /** Learns from how long it takes until so much has come; unless that is much less than may be asked. */
    <T> CompletableFuture<T> measure(long asked, Supplier<CompletableFuture<T>> copying) {
        long begun = clock.bootNanos();
        return copying.get().thenApply(done -> {
            came(asked, clock.bootNanos() - begun);
            return done;
        });
    }

    private synchronized void came(long asked, long nanos) {
        if (nanos > LONG.toNanos()) {
            bytes = Math.max(LEAST, bytes / 2);
        } else if (nanos < SOON.toNanos() && asked > bytes / 2) {
            bytes = Math.min(MOST, 2 * bytes);
        }
    }
}
