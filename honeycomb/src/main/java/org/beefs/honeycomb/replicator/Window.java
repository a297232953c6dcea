package org.beefs.honeycomb.replicator;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.rpc.Allowance;
import org.beefs.common.time.Clock;
import org.beefs.honeycomb.store.content.Checksums;

/**
 * How much content is asked of one source at a time ({@link Allowance}), so that little is lost with the time of a
 * request. Thread-safe.
 */
final class Window {
    /**
     * The least content asked for at a time, in bytes. With less, more would be asked than copied. In the 15 s that a
     * request has it comes at 140 kbit/s.
     */
    static final int LEAST = 2 * Checksums.BLOCK;

    /** The most content asked for at a time, in bytes: as much as checksums are told of at a time. */
    static final int MOST = Checksums.MOST_BLOCKS * Checksums.BLOCK;

    private final Clock clock;

    private final Allowance allowance = new Allowance(LEAST, MOST);

    Window(Clock clock) {
        this.clock = clock;
    }

    int bytes() {
        return allowance.bytes();
    }

    /** Learns from the time in which so much has come, unless that is much less than may be asked for. */
    <T> CompletableFuture<T> measure(long asked, Supplier<CompletableFuture<T>> copying) {
        long begun = clock.bootNanos();
        return copying.get().thenApply(done -> {
            allowance.came(asked > allowance.bytes() / 2, clock.bootNanos() - begun);
            return done;
        });
    }
}
