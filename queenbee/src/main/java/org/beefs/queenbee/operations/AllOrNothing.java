package org.beefs.queenbee.operations;

import java.util.function.Supplier;
import org.beefs.queenbee.journal.Journal;

/** Operations that fail have changed nothing; otherwise memory and answer would contradict each other. */
public final class AllOrNothing {
    /** An operation has failed after it had changed something: no answer to it would be true. */
    public static final class HalfDoneError extends Error {
        private static final long serialVersionUID = 1;

        HalfDoneError(RuntimeException failure) {
            super("an operation failed after it had changed something", failure);
        }
    }

    private AllOrNothing() {}

    /**
     * Runs what makes a change or fails.
     *
     * @throws HalfDoneError when it has done both
     */
    public static void run(Journal journal, Runnable work) {
        get(journal, () -> {
            work.run();
            return true;
        });
    }

    /** As {@link #run} of what has a result. */
    public static <T> T get(Journal journal, Supplier<T> work) {
        long before = journal.applied();
        try {
            return work.get();
        } catch (RuntimeException failure) {
            if (journal.applied() != before) {
                throw new HalfDoneError(failure);
            }
            throw failure;
        }
    }
}
