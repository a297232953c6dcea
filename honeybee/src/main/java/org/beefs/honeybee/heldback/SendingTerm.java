package org.beefs.honeybee.heldback;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;

/**
 * What is held back, and for how long it may be sent to honeycombs: until the queen-bee was silent for so long that
 * others may use those files, and after that not before she has said that they did not. Counted on the boot clock from
 * the sending of what she answered last. Thread-safe.
 */
public final class SendingTerm {
    /** How long a registration waits for what is held back. */
    private static final Duration FLUSH_PATIENCE = Duration.ofSeconds(2);

    private final Clock clock;
    private final Timers timers;
    private volatile HeldBack heldBack = HeldBack.NOTHING;

    /** When this desktop will have heard nothing for too long, on the boot clock. */
    private long silentFrom;

    /** How often it has ended. */
    private long doubts;

    /** Whether nobody else had used what is held back when the queen-bee was heard last. */
    private boolean confirmed;

    /** When the term ends, on the boot clock; 0 while it is not confirmed. */
    private volatile long endsAt;

    public SendingTerm(Clock clock, Timers timers) {
        this.clock = clock;
        this.timers = timers;
    }

    /** Sets who is told when write leases end. */
    public void holdBack(HeldBack holder) {
        heldBack = holder;
    }

    /** What is held back under write leases, or is still on its way since they have ended. */
    public HeldBack heldBack() {
        return heldBack;
    }

    /** Whether what is held back may be sent now, before a registration names it. */
    public boolean holds() {
        return clock.bootNanos() < endsAt;
    }

    /** Done when nothing is held back any more that others might look for then, or that has taken too long. */
    public CompletableFuture<Void> awaitFlush(CompletableFuture<Void> flushed) {
        Duration left = Duration.ofNanos(Math.max(0, endsAt - clock.bootNanos()));
        return flushed.isDone() || left.isZero()
                ? Futures.DONE
                : Futures.within(
                                timers,
                                left.compareTo(FLUSH_PATIENCE) < 0 ? left : FLUSH_PATIENCE,
                                flushed.thenApply(done -> true))
                        .thenAccept(inTime -> {});
    }

    /**
     * The queen-bee may let others use what is held back from now on: it is not sent before she says that they do not.
     *
     * @return for {@link #confirm}
     */
    public long stop() {
        if (end() && !heldBack.inodes().isEmpty()) {
            heldBack.cutOff();
        }
        return doubts();
    }

    /** After {@link #endIfOver}, and when all leases have ended, so that nothing more is held back. */
    public void stopped(long doubt) {
        if (doubt == 0) {
            return;
        }
        if (heldBack.inodes().isEmpty()) {
            confirm(doubt);
        } else {
            heldBack.cutOff();
        }
    }

    /** The queen-bee was heard, or is not known any more; {@code Long.MAX_VALUE} when silence does not matter. */
    public synchronized void setSilentFrom(long time) {
        silentFrom = time;
        endsAt = confirmed ? silentFrom : 0;
    }

    /**
     * Others may use the files of which something is held back, so the queen-bee is asked first.
     *
     * @return whether anything may be under way: nothing is from here on, when that is cut off
     */
    private synchronized boolean end() {
        boolean held = confirmed;
        confirmed = false;
        endsAt = 0;
        doubts++;
        return held;
    }

    /** Ends it if it has run out by itself. For {@link #stopped}; 0 if it has not, or had ended before. */
    public synchronized long endIfOver() {
        return confirmed && !holds() && end() ? doubts : 0;
    }

    /**
     * The queen-bee says that nobody used the files that were held back at its end of this number. Ignored if it has
     * ended again since.
     */
    public synchronized void confirm(long doubt) {
        if (doubt == doubts) {
            confirmed = true;
            endsAt = silentFrom;
        }
    }

    /** How often it has ended. */
    public synchronized long doubts() {
        return doubts;
    }
}
