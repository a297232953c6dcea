package org.beefs.honeybee;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@link CompletableFuture} lacks. */
public final class Futures {
    /** Work that is done already. */
    public static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

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

    /**
     * What an application sees of the work: its result or a {@link PosixException}. May be cancelled; a result that
     * comes after that goes to {@code unwanted}, because nobody else would let it go.
     */
    public static <T> CompletableFuture<T> answer(Supplier<CompletableFuture<T>> work, Consumer<T> unwanted) {
        CompletableFuture<T> worked = attempt(work);
        if (worked.isDone() && !worked.isCompletedExceptionally()) {
            return worked; // too late to be cancelled
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        worked.whenComplete((result, failure) -> pass(result, failure, answer, unwanted));
        return answer;
    }

    /**
     * Gives what came of some work to whoever waits for the answer.
     *
     * @param failure null when there is a result
     * @param unwanted gets a result for which nobody waits any more
     */
    public static <T> void pass(
            T result, @Nullable Throwable failure, CompletableFuture<T> answer, Consumer<T> unwanted) {
        if (failure != null) {
            if (Failures.isUnforeseen(failure)) {
                LOG.error("an operation failed unexpectedly", failure);
            }
            answer.completeExceptionally(Failures.toPosix(failure));
        } else if (!answer.complete(result)) {
            unwanted.accept(result);
        }
    }
}
