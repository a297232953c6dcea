package org.beefs.honeybee.data;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.honeybee.Patience;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether calls reach one honeycomb, and how long those wait for it that can do without an answer. Thread-safe; nothing
 * of others is called under its lock.
 */
final class Reachability {
    /**
     * How long a read waits for a honeycomb that was waited for in vain a moment ago, and has not been reached since: a
     * program that reads many files there, or a kernel that asks twice, does not wait as long each time. It is time for
     * an attempt to connect, and one that takes longer goes on for the next read.
     */
    static final Duration AWAY_PATIENCE = Duration.ofSeconds(2);

    /**
     * How long a read waits for one that the queen-bee has missed for as long as anybody waits: time for her to say so.
     * She has no address of it either.
     */
    static final Duration MISSED_PATIENCE = Duration.ofMillis(250);

    /**
     * A transfer is waited for as long as the honeycomb answers others, but not longer than so many times the whole
     * patience: its own answer may never come.
     */
    static final int MOST_PATIENCES = 10;

    /** How long after the last call one that was not reached is called only to see whether it is now. */
    static final Duration NEXT_ATTEMPT = Duration.ofMinutes(10);

    /** How long one that was slower than another is asked after those: then it may have become faster. */
    private static final Duration SLOW = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);

    private final DataWorld world;
    private final HoneycombAddress address;
    private final Duration whole;

    /** Null when the last call has reached the honeycomb, or was not sent. Guarded by this. */
    private @Nullable Unreached unreached;

    /** When a call was answered last, on the boot clock; long ago when none was. Guarded by this. */
    private long answered;

    /** Until then, on the boot clock, others are asked first. Guarded by this. */
    private long slowUntil = Long.MIN_VALUE;

    /**
     * The honeycomb was reached by no call, one soon after the other.
     *
     * @param since when the first of them began, on the boot clock
     * @param until when the last one ended
     */
    private record Unreached(long since, long until) {
        /** The state after one more call that did not reach the honeycomb. */
        static Unreached after(@Nullable Unreached before, long begun, long ended, Duration patience) {
            return new Unreached(before != null && before.goesOn(patience, begun) ? before.since : begun, ended);
        }

        /**
         * Whether a call that begins now, and fails too, is a part of it: not when the honeycomb may have been there
         * unnoticed.
         */
        boolean goesOn(Duration patience, long now) {
            return now - until < patience.toNanos();
        }

        /** Whether it has lasted for as long as anybody waits, and goes on. */
        boolean isLong(Duration patience, long now) {
            return until - since >= patience.toNanos() && goesOn(patience, now);
        }
    }

    Reachability(DataWorld world, HoneycombAddress address) {
        this.world = world;
        this.address = address;
        this.whole = world.config().patience();
        this.answered = now() - whole.toNanos();
    }

    /** The patience of what is asked for now. A change always has all of it: what is given up then may be lost. */
    Patience patience(ReplicaRequest.Kind kind) {
        boolean brief = kind == ReplicaRequest.Kind.QUESTION && AWAY_PATIENCE.compareTo(whole) < 0 && isLong();
        return Patience.of(world.rpc().clock(), brief ? AWAY_PATIENCE : whole);
    }

    private synchronized boolean isLong() {
        return unreached != null && unreached.isLong(whole, now());
    }

    /**
     * A call has ended; people are told of the first one that did not reach the honeycomb.
     *
     * @param begun when, as {@link #now} said
     * @param why it did not reach the honeycomb; null if it did, or was not sent
     */
    void ended(long begun, @Nullable PosixException why) {
        boolean known;
        synchronized (this) {
            known = unreached != null;
            unreached = why == null ? null : Unreached.after(unreached, begun, now(), whole);
        }
        if (why != null && !known) {
            LOG.warn(
                    "{} must come back: files whose current content is there cannot be used ({})",
                    address.desktop(),
                    why.getMessage());
        }
    }

    /** Another honeycomb has answered what this one was asked before. */
    synchronized void lostRace() {
        slowUntil = now() + SLOW.toNanos();
    }

    /** Whether the last call has not reached the honeycomb. */
    synchronized boolean isUnreached() {
        return unreached != null;
    }

    /** Whether it has not been reached, and nobody has called it for so long that it is worth another attempt. */
    synchronized boolean isWorthAnAttempt() {
        return unreached != null && now() - unreached.until >= NEXT_ATTEMPT.toNanos();
    }

    /** Whether it has lost a race a short time ago. */
    synchronized boolean isSlow() {
        return now() < slowUntil;
    }

    /** A call was answered now. */
    synchronized void answered() {
        answered = now();
    }

    /**
     * How long content may be waited for that is on its way since {@code begun}: patience counts from what was answered
     * last, because a slow network brings one after the other. Never negative.
     */
    Duration left(long begun) {
        long until = Math.min(lastAnswered() + whole.toNanos(), begun + MOST_PATIENCES * whole.toNanos());
        return Duration.ofNanos(Math.max(0, until - now()));
    }

    private synchronized long lastAnswered() {
        return answered;
    }

    /** The boot clock, in nanoseconds. */
    long now() {
        return world.rpc().clock().bootNanos();
    }

    /** Lets a read that waits for a connection fail when the queen-bee says that she has long missed the honeycomb. */
    void giveUpIfMissed(CompletableFuture<?> read, BooleanSupplier connected) {
        giveUpIfMissed(read, connected, MISSED_PATIENCE);
    }

    /** Each attempt to connect has the queen-bee asked, so what she says is looked at again and again. */
    private void giveUpIfMissed(CompletableFuture<?> read, BooleanSupplier connected, Duration after) {
        Runnable look = () -> {
            if (read.isDone() || connected.getAsBoolean()) {
                return;
            }
            Duration away = address.away();
            if (away.compareTo(whole) < 0) {
                giveUpIfMissed(read, connected, AWAY_PATIENCE);
            } else {
                read.completeExceptionally(new PosixException(
                        Errno.EIO, "the queen-bee has missed it for %s".formatted(Durations.approximate(away))));
            }
        };
        world.rpc().timers().schedule(after, CurrentRequest.carrying(look));
    }
}
