package org.beefs.honeybee.filesystem;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What applications are answered. Stateless and thread-safe. */
public final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    /**
     * What an application sees of the work: its result or a {@link PosixException}. May be cancelled; a result that
     * comes after that goes to {@code unwanted}, because nobody else would let it go.
     */
    public static <T> CompletableFuture<T> of(Supplier<CompletableFuture<T>> work, Consumer<T> unwanted) {
        CompletableFuture<T> worked = Futures.attempt(work);
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
