package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.FindLock;
import org.beefs.common.wire.FoundLock;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetLock;
import org.beefs.honeybee.ConcurrencyLimit;
import org.beefs.honeybee.queen.LockWait.Event;

/**
 * Asks the queen-bee for locks, and to take them away. A request may wait for as long as another owner holds the lock:
 * the queen-bee answers that it waits, and tells later that it is granted. After each registration waiting requests are
 * made again, because she may have forgotten them, or her message may be lost. Thread-safe; bounded by the requests
 * that mounts have under way.
 */
public final class LockRequests {
    /** How long to wait before unlocking is tried again that has failed for whatever reason. */
    private static final Duration UNLOCK_AGAIN = Duration.ofSeconds(1);

    private final QueenCalls calls;
    private final ConcurrencyLimit releases;
    private final AnsweredChanges answered;
    private final Timers timers;
    private final AtomicLong lastTicket = new AtomicLong();
    private final Map<Long, LockWait> waits = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param releases for unlocking, which waits much longer than others for a queen-bee that is away, and does not
     *     take their places
     * @param answered is told what was granted
     */
    LockRequests(QueenCalls calls, ConcurrencyLimit releases, AnsweredChanges answered, Timers timers) {
        this.calls = calls;
        this.releases = releases;
        this.answered = answered;
        this.timers = timers;
    }

    /** A ticket for a request, never used before. */
    public long newTicket() {
        return lastTicket.incrementAndGet();
    }

    /** The lock of another owner that is in the way of this one. */
    public CompletableFuture<Optional<FoundLock>> find(FindLock find) {
        return calls.question(QueenRequest.newBuilder().setFindLock(find))
                .run()
                .thenApply(reply -> reply.hasFoundLock() ? Optional.of(reply.getFoundLock()) : Optional.empty());
    }

    /** Asks for a lock without waiting for who has it. Fails with EAGAIN when somebody has. */
    public CompletableFuture<LockState> tryToLock(SetLock lock) {
        return calls.question(QueenRequest.newBuilder().setSetLock(lock)).run().thenApply(QueenReply::getLockState);
    }

    /**
     * Asks for a lock, and waits as long as it takes.
     *
     * @param lock with a ticket of its own
     * @param interrupted when this is done, waiting ends with EINTR, unless the lock was granted before
     */
    public CompletableFuture<LockState> lock(SetLock lock, CompletableFuture<Void> interrupted) {
        LockWait wait = new LockWait(lock);
        waits.put(wait.ticket(), wait);
        interrupted.thenRun(wait::withdraw);
        return ask(lock, wait).whenComplete((granted, failure) -> waits.remove(wait.ticket()));
    }

    /** Unlocks; tried until it is done, or the session is over. */
    public CompletableFuture<LockState> unlock(SetLock unlock) {
        return releases.run(calls.patientQuestion(QueenRequest.newBuilder().setSetLock(unlock))::run)
                .thenApply(QueenReply::getLockState)
                .exceptionallyCompose(
                        failure -> closed ? CompletableFuture.failedFuture(failure) : unlockAgain(unlock));
    }

    /**
     * The queen-bee tells who has got what he waited for.
     *
     * @param change the journal sequence of the last of these locks
     */
    void granted(List<Long> tickets, long change) {
        for (Long ticket : tickets) {
            LockWait wait = waits.get(ticket);
            if (wait != null) {
                answered.granted(wait.lock(), change);
                wait.happened(Event.GRANTED);
            }
        }
    }

    /** Shows what waits: the id of the request in logs, and the ticket. */
    void forEachWaiting(BiConsumer<Long, Long> visitor) {
        waits.values().forEach(wait -> visitor.accept(wait.request(), wait.ticket()));
    }

    /** The desktop has registered. */
    void registered() {
        waits.values().forEach(wait -> wait.happened(Event.ASK_AGAIN));
    }

    /** Nothing is tried again any more. */
    void close() {
        closed = true;
    }

    private CompletableFuture<LockState> ask(SetLock lock, LockWait wait) {
        CompletableFuture<Event> next =
                CurrentRequest.of(wait.next()); // before the question: what happens after it is not missed
        boolean withdrawn = wait.isWithdrawn();
        return tryToLock(lock.toBuilder().setWait(!withdrawn).build())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        withdrawn && Failures.toPosix(failure).errno() == Errno.EAGAIN
                                ? new PosixException(Errno.EINTR, "waiting for a lock was interrupted")
                                : failure))
                .thenCompose(state -> state.getWaiting()
                        ? next.thenCompose(event -> event == Event.GRANTED ? held() : ask(lock, wait))
                        : CompletableFuture.completedFuture(state));
    }

    private static CompletableFuture<LockState> held() {
        return CompletableFuture.completedFuture(
                LockState.newBuilder().setHeld(true).build());
    }

    private CompletableFuture<LockState> unlockAgain(SetLock unlock) {
        return Futures.after(timers, UNLOCK_AGAIN).thenCompose(now -> unlock(unlock));
    }
}
