package org.beefs.honeybee.filesystem.content;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.honeybee.filesystem.Answers;
import org.jspecify.annotations.Nullable;

/**
 * One read, of several replicas when the first ones are slow: the first answer counts. No honeycomb is asked while it
 * has been asked already. Who has lost is not cancelled, because his answer is on its way and has its place among the
 * transfers until it has come; then it is let go. Thread-safe; one replica is asked after the other.
 */
final class ReplicaRace<T> {
    /** How long one replica is waited for when there may be others. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Timers timers;
    private final Consumer<T> unwanted;
    private final Consumer<ByteString> lost;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    /** Reads that have not ended, by honeycomb, in the order asked. Guarded by this. */
    private final Map<ByteString, CompletableFuture<T>> reads = new LinkedHashMap<>();

    /**
     * @param unwanted takes a result that comes too late
     * @param lost hears of a honeycomb that was asked before the one that has answered
     */
    ReplicaRace(Timers timers, Consumer<T> unwanted, Consumer<ByteString> lost) {
        this.timers = timers;
        this.unwanted = unwanted;
        this.lost = lost;
    }

    /** What has come first; its failure when {@link #fail} came before that. */
    CompletableFuture<T> answer() {
        return answer;
    }

    boolean isOver() {
        return answer.isDone();
    }

    /**
     * Asks one more, if it is not being asked.
     *
     * @param at where it is
     * @return done when the race is over; fails when this replica fails, or does not answer in time
     */
    CompletableFuture<Void> ask(ReplicaPlace at, Supplier<CompletableFuture<T>> read) {
        if (isOver()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> turn = new CompletableFuture<>();
        run(at.getHoneycomb(), read).whenComplete((_, failure) -> {
            if (failure != null) {
                turn.completeExceptionally(failure);
            }
        });
        answer.whenComplete((_, _) -> turn.complete(null));
        if (!turn.isDone()) {
            Timers.Timer timer = timers.schedule(
                    PATIENCE,
                    () -> turn.completeExceptionally(
                            new PosixException(Errno.EIO, at.getDesktop() + " does not answer")));
            turn.whenComplete((_, _) -> timer.cancel());
        }
        return turn;
    }

    /** Done when that honeycomb has answered or failed, if it is being asked. */
    CompletableFuture<Void> await(ByteString honeycomb) {
        CompletableFuture<T> asked = asked(honeycomb);
        return asked == null ? CompletableFuture.completedFuture(null) : asked.handle((_, _) -> null);
    }

    /** Done when all have answered or failed that are being asked. */
    synchronized CompletableFuture<Void> awaitAll() {
        return CompletableFuture.allOf(reads.values().stream()
                .map(asked -> asked.handle((_, _) -> null))
                .toArray(CompletableFuture[]::new));
    }

    /** Takes the last read: what comes of it ends the race. */
    void end(CompletableFuture<T> read) {
        read.whenComplete((result, failure) -> Answers.pass(result, failure, answer, unwanted));
    }

    /** Nobody is left to be asked. */
    void fail(Throwable failure) {
        answer.completeExceptionally(Failures.unwrap(failure));
    }

    private CompletableFuture<T> run(ByteString honeycomb, Supplier<CompletableFuture<T>> read) {
        CompletableFuture<T> asked = asked(honeycomb);
        if (asked != null) {
            return asked;
        }
        CompletableFuture<T> begun = Futures.attempt(read);
        synchronized (this) {
            reads.put(honeycomb, begun);
        }
        begun.whenComplete((result, failure) -> ended(honeycomb, result, failure));
        return begun;
    }

    private synchronized @Nullable CompletableFuture<T> asked(ByteString honeycomb) {
        return reads.get(honeycomb);
    }

    private void ended(ByteString honeycomb, T result, @Nullable Throwable failure) {
        List<ByteString> before = leave(honeycomb);
        if (failure != null) {
            return;
        }
        if (answer.complete(result)) {
            before.forEach(lost);
        } else {
            unwanted.accept(result);
        }
    }

    /** Ends a read, and says which honeycombs were asked before it and have not answered yet. */
    private synchronized List<ByteString> leave(ByteString honeycomb) {
        List<ByteString> before = reads.keySet().stream()
                .takeWhile(other -> !other.equals(honeycomb))
                .toList();
        reads.remove(honeycomb);
        return before;
    }
}
