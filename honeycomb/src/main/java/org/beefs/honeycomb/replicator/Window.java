package org.beefs.honeycomb.replicator;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.store.content.Checksums;

/**
 * How much content is asked of one source at a time: little at first, twice as much whenever that has come soon, and
 * half when it has taken long. So what is under way comes in seconds, however slow the network is, and little is lost
 * with the time of a request. Thread-safe.
 */
final class Window {
    /**
     * The least content asked for at a time, in bytes. With less, more would be asked than copied. In the 15 s that a
     * request has it comes at 140 kbit/s.
     */
    static final int LEAST = 2 * Checksums.BLOCK;

    /** The most content asked for at a time, in bytes: as much as checksums are told of at a time. */
    static final int MOST = Checksums.MOST_BLOCKS * Checksums.BLOCK;

    private static final Duration SOON = Duration.ofSeconds(1);

    /** Time that is long: more than twice as long as is soon, so that a window that was doubled is not halved again. */
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

    /** Learns from the time in which so much has come, unless that is much less than may be asked for. */
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
