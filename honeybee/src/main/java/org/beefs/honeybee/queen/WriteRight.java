package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Clock;
import org.beefs.honeybee.Patience;
import org.beefs.honeybee.heldback.SendingTerm;

/**
 * Whether this desktop may change contents, and send what was held back, and how it comes to that when it may not.
 * Thread-safe; no method blocks.
 */
public final class WriteRight {
    private final WriteTerm term;
    private final SendingTerm sending;
    private final Registration registration;
    private final Function<Duration, CompletableFuture<Void>> reach;
    private final Clock clock;
    private final Duration patience;

    /**
     * @param reach done when the queen-bee answers, on a connection that began with a registration; gives up after a
     *     while
     * @param patience of an operation, for the queen-bee
     */
    WriteRight(
            WriteTerm term,
            SendingTerm sending,
            Registration registration,
            Function<Duration, CompletableFuture<Void>> reach,
            Clock clock,
            Duration patience) {
        this.term = term;
        this.sending = sending;
        this.registration = registration;
        this.reach = reach;
        this.clock = clock;
        this.patience = patience;
    }

    /** Whether this desktop may change contents now; if not, only after the queen-bee was heard again. */
    public boolean holds() {
        return term.holds();
    }

    /** How often this desktop has been allowed to change contents after it might not, or by a registration. */
    public long term() {
        return term.number();
    }

    /** The patience of an operation that begins now. */
    public Patience patience() {
        return Patience.of(clock, patience);
    }

    /**
     * Registers anew if it takes that for this desktop to change contents again; fails with EIO when it takes longer
     * than that.
     */
    public CompletableFuture<Void> regain(Patience left) {
        return holds()
                ? Futures.DONE
                : CurrentRequest.of(registration.settled(left)).thenCompose(done -> registerAnew(left));
    }

    private CompletableFuture<Void> registerAnew(Patience left) {
        return holds() ? Futures.DONE : CurrentRequest.of(registration.awaitAgain(left));
    }

    /**
     * Registers anew if it takes that for what is held back to be sent; fails with EIO when it takes longer than that.
     * A registration says of which files that must not be.
     */
    public CompletableFuture<Void> confirmHeldBack(Patience left) {
        return sending.holds()
                ? Futures.DONE
                : CurrentRequest.of(reach.apply(left.left()))
                        .thenCompose(reached -> CurrentRequest.of(registration.settled(left)))
                        .thenCompose(settled ->
                                sending.holds() ? Futures.DONE : CurrentRequest.of(registration.awaitAgain(left)))
                        .thenCompose(registered -> confirmHeldBack(left));
    }
}
