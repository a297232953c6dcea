package org.beefs.common.concurrent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;

/** What {@link CompletableFuture} lacks. */
public final class Futures {
    /** Work that is done already. */
    public static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private Futures() {}

    /** Work that has failed. */
    public static <T> CompletableFuture<T> failed(Errno errno, String reason) {
        return CompletableFuture.failedFuture(new PosixException(errno, reason));
    }

    /** What the work answers; what it throws becomes a failed future. */
    public static <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Done when so much time has passed. */
    public static CompletableFuture<Void> after(Timers timers, Duration time) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        timers.schedule(time, CurrentRequest.carrying(() -> over.complete(null)));
        return over;
    }

    /** The result if it comes in time; empty when it does not, or fails. Does not cancel the future. */
    public static <T> CompletableFuture<Optional<T>> within(
            Timers timers, Duration limit, CompletableFuture<T> future) {
        CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
        Timers.Timer timer = timers.schedule(limit, CurrentRequest.carrying(() -> answer.complete(Optional.empty())));
        future.whenComplete((result, failure) -> {
            timer.cancel();
            answer.complete(failure == null ? Optional.of(result) : Optional.empty());
        });
        return answer;
    }
}
