package org.beefs.simulator;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.beefs.simulator.AfterPowerLoss.Waiting;
import org.beefs.simulator.Marks.Consequence;
import org.beefs.simulator.client.History;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.hive.SimQueenBee;
import org.beefs.simulator.model.Invariant;

/**
 * A desktop that was lost for ever is forgotten: soon, unless only it has changes that are to become conflict copies,
 * and nothing that the hive needs goes with it.
 */
final class Forgetting {
    private static final long SECOND = 1_000_000_000;

    /** Whoever is refused tries again after this time, so often. */
    private static final long PAUSE = 30 * SECOND;

    private static final int MOST_ATTEMPTS = 20;

    /** A folder that is not welcome any more tries for so long. */
    private static final long RETURN = 60 * SECOND;

    private final Hive hive;
    private final History history;
    private final Waiting waiting;

    /** Lets so many nanoseconds pass. */
    private final LongConsumer pause;

    private final RandomGenerator random;
    private final Marks marks;

    Forgetting(Hive hive, History history, Waiting waiting, LongConsumer pause, RandomGenerator random, Marks marks) {
        this.hive = hive;
        this.history = history;
        this.waiting = waiting;
        this.pause = pause;
        this.random = random;
        this.marks = marks;
    }

    /**
     * Asks until it is so, in a hive in which nothing is open and nothing goes wrong.
     *
     * @param gone all that have been lost so far, this one among them
     * @param kept all others
     */
    void forget(SimDesktop lost, Collection<SimDesktop> gone, List<SimDesktop> kept) {
        history.note(lost.host() + " is to be forgotten");
        boolean killed = random.nextBoolean();
        giveUpAgain(lost);
        for (int attempt = 1; isKnown(lost); attempt++) {
            if (queenBee().owesConflictCopies(lost)) {
                history.note("it alone has changes that nobody has seen");
                return;
            }
            if (attempt > MOST_ATTEMPTS) {
                history.fail(Invariant.EVERYTHING_ENDS, lost.host() + " cannot be forgotten");
                return;
            }
            CompletableFuture<Void> answer = queenBee().forget(lost);
            if (killed && attempt == 1) {
                int[] events = {random.nextInt(100)};
                waiting.until(() -> events[0]-- <= 0, "nothing happens");
                history.note("FAULT: the queen-bee is killed");
                queenBee().kill();
                queenBee().ensureRunning();
            } else {
                waiting.until(answer::isDone, "nobody answers whether a desktop can be forgotten");
                noteRefusal(answer);
            }
            pause.accept(PAUSE);
            waiting.until(() -> hive.isReadyWithout(gone), "the hive does not come back");
        }
        marks.add(Consequence.FORGOTTEN);
        pause.accept(Simulation.QUIET);
        hive.recoveryDifferences(kept).forEach(difference -> history.fail(Invariant.RECOVERABLE, difference));
        if (random.nextInt(3) == 0) {
            returns(lost);
        }
    }

    /** What it had sent before it was lost may have come after it was given up: then it was there for a moment. */
    private void giveUpAgain(SimDesktop lost) {
        if (queenBee().isAway(lost) && !queenBee().isDeclaredLost(lost)) {
            history.note("it had registered once more");
            queenBee().declareLost(lost);
        }
    }

    private void noteRefusal(CompletableFuture<Void> answer) {
        if (answer.isCompletedExceptionally()) {
            history.note("not yet: " + answer.exceptionNow().getMessage());
        }
    }

    /** Its daemon starts on its former disk, and is told to begin with an empty one. */
    private void returns(SimDesktop lost) {
        history.note(lost.host() + " starts again on its former disk");
        lost.comeBack();
        pause.accept(RETURN);
        if (lost.isConnected() || isKnown(lost)) {
            history.fail(Invariant.NUMBERS_ONCE, lost.host() + " was forgotten, and is let in with what it had");
        }
        hive.contradictions().forEach(history::fail);
        lost.loseForEver();
    }

    private boolean isKnown(SimDesktop lost) {
        return queenBee().presences().containsKey(lost.host().name());
    }

    private SimQueenBee queenBee() {
        return hive.queenBee();
    }
}
