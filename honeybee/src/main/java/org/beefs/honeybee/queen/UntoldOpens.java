package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.jspecify.annotations.Nullable;

/**
 * Opens of clean files to read that were decided on this desktop, under the lease on their attributes, and of which the
 * queen-bee has not heard yet. She hears of them before anything that they matter for: before this desktop answers a
 * recall, before it makes a change, and by each registration; and otherwise after a moment, unless they are over by
 * then. Most are, so that she never hears of them. Thread-safe; no method waits.
 *
 * <p>An open is decided in this order: it is added here, then the lease is looked at. Whoever takes the lease away, or
 * is about to change something, asks for the telling afterwards. So each open that counted on the lease is told before.
 */
final class UntoldOpens {
    /**
     * How long an open may stay untold: people look at what is open, and programs that read one file after the other
     * are done with each much sooner.
     */
    private static final Duration SOON = Duration.ofMillis(20);

    /** Opens that are untold at a time; for further ones the queen-bee is asked. */
    private static final int MOST = 1024;

    /** @param id of the call that opens, for logs: whoever tells of it does so for that */
    private record Untold(OpenRecord open, QueenRequest request, long id, CompletableFuture<Void> sent) {
        Untold(OpenRecord open, QueenRequest request) {
            this(open, request, CurrentRequest.id(), new CompletableFuture<>());
        }
    }

    private final OpenRegistry opens;
    private final Timers timers;
    private final Function<QueenRequest, CompletableFuture<QueenReply>> send;
    private final Map<Long, Untold> untold = new ConcurrentHashMap<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** @param send sends a request that opens, in the order of its calls */
    UntoldOpens(OpenRegistry opens, Timers timers, Function<QueenRequest, CompletableFuture<QueenReply>> send) {
        this.opens = opens;
        this.timers = timers;
        this.send = send;
    }

    /** Whether she has been told of all, and by messages that are on their way to her. */
    boolean isEmpty() {
        return untold.isEmpty();
    }

    /** Whether one more may be decided here. */
    boolean hasRoom() {
        return untold.size() < MOST;
    }

    /** An open is being decided, of which this request tells. */
    void add(OpenRecord open, QueenRequest request) {
        untold.put(open.handle(), new Untold(open, request));
        if (!open.isUntold()) {
            settle(open.handle()); // a registration has asserted it already, and found nothing here
            return;
        }
        if (scheduled.compareAndSet(false, true)) {
            timers.schedule(SOON, this::tellLater);
        }
    }

    /** The open is over, and she never hears of it. */
    void forget(long handle) {
        settle(handle);
    }

    /** A registration that asserts these is on its way to her. */
    void asserted(List<OpenFile> told) {
        if (!untold.isEmpty()) {
            told.forEach(open -> settle(open.getHandle()));
        }
    }

    /** Done when all that was added before is on its way to the queen-bee, ahead of whatever is sent afterwards. */
    CompletableFuture<Void> tell() {
        if (untold.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.allOf(untold.values().stream().map(this::tell).toArray(CompletableFuture[]::new));
    }

    /** As {@link #tell()} of one open. */
    CompletableFuture<Void> tell(long handle) {
        Untold one = untold.get(handle);
        return one == null ? CompletableFuture.completedFuture(null) : tell(one);
    }

    private void tellLater() {
        scheduled.set(false);
        tell();
    }

    private CompletableFuture<Void> tell(Untold one) {
        if (one.open().beginTelling()) {
            CurrentRequest.run(
                    one.id(),
                    () -> Futures.attempt(() -> send.apply(one.request()))
                            .whenComplete((reply, failure) -> ended(one.open(), reply, failure)));
            settle(one.open().handle());
        }
        return one.sent();
    }

    private void settle(long handle) {
        Untold one = untold.remove(handle);
        if (one != null) {
            one.sent().complete(null);
        }
    }

    /**
     * The queen-bee has answered, or will not: the file may turn out to be gone. An open that she could not be told of
     * is asserted by the next registration.
     */
    private void ended(OpenRecord open, @Nullable QueenReply reply, @Nullable Throwable failure) {
        Errno errno = failure == null ? null : Failures.toPosix(failure).errno();
        if (errno == Errno.ESTALE || errno == Errno.ENOENT) {
            opens.lose(List.of(open.handle()));
        }
        if (reply != null && reply.getNode().hasLayout()) {
            open.tellLayout(reply.getNode().getLayout());
        }
        open.endTelling();
    }
}
