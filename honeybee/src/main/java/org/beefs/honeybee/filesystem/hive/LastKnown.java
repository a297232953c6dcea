package org.beefs.honeybee.filesystem.hive;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;

/**
 * An answer that umount(8) and df(1) must always get: the present one, or the last that was known when the queen-bee
 * does not answer within the patience. Only the very first answer is waited for. Thread-safe.
 */
final class LastKnown<T> {
    private final Supplier<CompletableFuture<T>> ask;
    private final Timers timers;
    private final Duration patience;
    private volatile @Nullable T last;

    LastKnown(Supplier<CompletableFuture<T>> ask, Timers timers, Duration patience) {
        this.ask = ask;
        this.timers = timers;
        this.patience = patience;
    }

    CompletableFuture<T> get() {
        T known = last;
        CompletableFuture<T> present = present();
        boolean certain = present.state() == Future.State.SUCCESS;
        return known == null || certain
                ? present
                : Futures.within(timers, patience, present).thenApply(answer -> answer.orElse(known));
    }

    private CompletableFuture<T> present() {
        return ask.get().whenComplete((answer, failure) -> {
            if (failure == null) {
                last = answer;
            }
        });
    }
}
