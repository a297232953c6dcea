package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.beefs.common.posix.Failures;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;

/** One call of a {@link Reconnector}, over all its attempts. Thread-safe; at most one attempt is under way. */
final class ResendingCall<A extends MessageLite> {
    /** How long to wait before it is sent again to a peer that had no room for it; then twice as long each time. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    /** The longest wait. Its payload is sent each time, so not more often than this to a peer that is full for long. */
    static final Duration LONGEST_PAUSE = Duration.ofMillis(640);

    /**
     * How long a call is waited for.
     *
     * @param deadline of one attempt
     * @param patience for all of them
     * @param more asked when that is over, how much longer
     */
    record Limits(Duration deadline, Duration patience, Supplier<Duration> more) {
        /** Whether it is never given up; some of the patience may have passed. */
        boolean areEndless() {
            return patience.compareTo(Reconnector.FOR_EVER.dividedBy(2)) > 0;
        }
    }

    private final RpcEnvironment world;
    private final long number;
    private final long request;
    private final Supplier<Outgoing> outgoing;
    private final Parser<A> replies;
    private final Limits limits;
    private final Consumer<? super A> arrived;
    private final Reconnector owner;
    private final CompletableFuture<Message<A>> result = new CompletableFuture<>();
    private @Nullable CompletableFuture<Message<A>> attempt;

    /** Whether the attempt made last is {@link Outgoing#inOrder}. */
    private volatile boolean inOrder;

    /** Hears when the attempt made last was not carried out. */
    private volatile Runnable untaken = () -> {};

    /** Whether it may take longer than its deadline, so that only the patience surely ends it. */
    private volatile boolean mayTakeLonger;

    /** Why the peer did not carry out the attempt that ended last; empty if it has not said so. */
    private volatile String notTaken = "";

    private Timers.@Nullable Timer patience;

    /** Whether the patience is over, and an attempt goes on that was under way then. */
    private boolean outlived;

    /** When the call was made, by the boot clock. Nanoseconds. */
    private final long begun;

    /** When the last attempt was made, by the boot clock. Nanoseconds. */
    private long sentAt;

    /** Says how long to wait next; null while the peer has not refused it for want of room. */
    private @Nullable Backoff backoff;

    /** Whether the last attempt was refused, and the next one has not begun. */
    private boolean pausing;

    /** All attempts carry the id of the present request, and what waits for the result goes on for that. */
    ResendingCall(
            long number,
            RpcEnvironment world,
            Supplier<Outgoing> outgoing,
            Parser<A> replies,
            Limits limits,
            Consumer<? super A> arrived,
            Reconnector owner) {
        this.number = number;
        this.world = world;
        this.request = world.requests().currentOrNext();
        this.outgoing = outgoing;
        this.replies = replies;
        this.limits = limits;
        this.arrived = arrived;
        this.owner = owner;
        this.begun = world.clock().bootNanos();
        result.whenComplete((_, _) -> end());
    }

    /** Its place in the order of calling. */
    long number() {
        return number;
    }

    long request() {
        return request;
    }

    boolean isInOrder() {
        return inOrder;
    }

    Limits limits() {
        return limits;
    }

    CompletableFuture<Message<A>> result() {
        return result;
    }

    /**
     * Why the peer did not carry out the attempt that ended last; empty when that has failed otherwise, or none has
     * ended.
     */
    String notTaken() {
        return notTaken;
    }

    void setNotTaken(String why) {
        notTaken = why;
    }

    /** The last attempt was not carried out. */
    void tellUntaken() {
        untaken.run();
    }

    boolean isDone() {
        return result.isDone();
    }

    void fail(Throwable cause) {
        CurrentRequest.run(request, () -> result.completeExceptionally(cause));
    }

    /**
     * The call's patience is over. Answers whether an attempt is under way that was given longer than that, so that it
     * may still be answered.
     */
    synchronized boolean outlivesPatience() {
        boolean isLong = !mayTakeLonger && limits.deadline().compareTo(limits.patience()) > 0;
        outlived = isLong && attempt != null && !attempt.isDone();
        return outlived;
    }

    /** An attempt has broken off. Answers whether it had outlived the patience, so that another patience begins. */
    synchronized boolean endOutliving() {
        boolean had = outlived;
        outlived = false;
        return had;
    }

    /** Whether the call is as old as an attempt may become. */
    boolean isOld() {
        return world.clock().bootNanos() - begun >= limits.deadline().toNanos();
    }

    /**
     * Begins a pause, because the peer says that it cannot take it now, and says how long that is to be. A peer that
     * says so only after a while has kept the request for that long, in case that it could take it: it is asked again
     * soon.
     */
    synchronized Duration pause() {
        boolean atOnce = world.clock().bootNanos() - sentAt < LONGEST_PAUSE.toNanos();
        if (backoff == null || !atOnce) {
            backoff = new Backoff(world.random(), FIRST_PAUSE, LONGEST_PAUSE);
        }
        pausing = true;
        return backoff.next();
    }

    synchronized void endPause() {
        pausing = false;
    }

    synchronized boolean isPausing() {
        return pausing;
    }

    /** The timer that ends the call's patience, to be cancelled when the call is done before. */
    synchronized void setPatience(Timers.Timer timer) {
        if (result.isDone()) {
            timer.cancel();
        } else {
            patience = timer;
        }
    }

    void send(RpcConnection connection) {
        long before = CurrentRequest.enter(request);
        try {
            attempt(connection);
        } finally {
            CurrentRequest.leave(before);
        }
    }

    /**
     * Does nothing when the call is done, which may have been taken to be sent before its end took it away. It may
     * still end in this moment, so the supplier has to know by itself what it must not do any more.
     */
    private void attempt(RpcConnection connection) {
        if (isDone()) {
            return;
        }
        CompletableFuture<Message<A>> sent;
        try {
            Outgoing next = outgoing.get();
            inOrder = next.inOrder();
            untaken = next.untaken();
            mayTakeLonger = next.mayTakeLonger() != null;
            noteSent();
            sent = connection.call(next, replies, limits.deadline(), arrived);
        } catch (RuntimeException e) { // the supplier's own failure, for the caller to see
            fail(e);
            return;
        }
        setAttempt(sent);
        sent.whenComplete((reply, e) -> {
            if (e != null) {
                owner.attemptFailed(this, connection, Failures.toPosix(e));
            } else if (!result.complete(reply)) {
                reply.payload().close();
            }
        });
    }

    private synchronized void noteSent() {
        sentAt = world.clock().bootNanos();
    }

    private synchronized void setAttempt(CompletableFuture<Message<A>> sent) {
        attempt = sent;
        if (result.isDone()) {
            sent.cancel(false);
        }
    }

    private void end() {
        CompletableFuture<Message<A>> unfinished;
        synchronized (this) {
            if (patience != null) {
                patience.cancel();
            }
            unfinished = attempt;
        }
        if (unfinished != null) {
            unfinished.cancel(false);
        }
        owner.ended(this);
    }
}
