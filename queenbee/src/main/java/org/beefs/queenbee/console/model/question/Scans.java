package org.beefs.queenbee.console.model.question;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;

/**
 * Goes through much of the namespace in parts, with requests of desktops in between. Only one way at a time; others
 * wait, and fail with EBUSY when that takes too long. Thread-safe.
 */
public final class Scans {
    /** A part for what looks at each inode shortly: some 100 µs of the namespace thread. */
    public static final int PART = 2048;

    /** After so many inodes, about, is asked whether there is enough. */
    private static final int SLICE = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Questions questions;
    private final Semaphore turn = new Semaphore(1, true);

    public Scans(Questions questions) {
        this.questions = questions;
    }

    /**
     * Shows one part of the inodes to a visitor, from a position on.
     *
     * @param part inodes in it
     * @param visitor is made, and called, on the namespace thread; afterwards its caller sees what it did
     * @return where the next part begins; 0 at the end
     */
    public int runPart(int from, int part, Function<QueenState, Consumer<Inode>> visitor) {
        return inTurn(() -> questions.ask(state -> state.namespace().forSome(from, part, visitor.apply(state))));
    }

    /**
     * Shows inodes to a visitor, from a position on, part by part until it has enough.
     *
     * @param part inodes in a part
     * @param visitor is made for each part, and called, on the namespace thread; after each part its caller sees what
     *     it did
     * @param enough asked within a part, too, on the namespace thread
     * @return where to go on; 0 at the end
     */
    public int run(int from, int part, Function<QueenState, Consumer<Inode>> visitor, BooleanSupplier enough) {
        return inTurn(() -> {
            int position = from;
            do {
                int begin = position;
                position = questions.ask(state -> show(state.namespace(), begin, part, visitor.apply(state), enough));
            } while (position != 0 && !enough.getAsBoolean());
            return position;
        });
    }

    private static int show(Namespace namespace, int from, int part, Consumer<Inode> visitor, BooleanSupplier enough) {
        int position = from;
        int shown = 0;
        do {
            position = namespace.forSome(position, SLICE, visitor);
            shown += SLICE;
        } while (position != 0 && shown < part && !enough.getAsBoolean());
        return position;
    }

    /**
     * Runs a walk that its caller defines, step by step.
     *
     * @param step takes a part of it on the namespace thread, and tells whether that was the last one
     */
    public void run(Predicate<QueenState> step) {
        inTurn(() -> {
            boolean done;
            do {
                done = questions.ask(step::test);
            } while (!done);
            return done;
        });
    }

    private <T> T inTurn(Supplier<T> way) {
        takeTurn();
        try {
            return way.get();
        } finally {
            turn.release();
        }
    }

    private void takeTurn() {
        try {
            if (!turn.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new PosixException(Errno.EBUSY, "somebody else is having all files looked at; try again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PosixException(Errno.EINTR, "the console stops");
        }
    }
}
