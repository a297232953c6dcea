package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Path;

/**
 * One thing that a benchmark measures. It works on what the phases before it made.
 *
 * @param title as tables show it: {@code Mkdir}
 * @param work what is done; an interrupt ends it soon
 */
record Phase(String title, Kind kind, Work work) {
    /** How a phase is measured. */
    enum Kind {
        ORDINARY,
        /** What the kernel and the mount have kept is dropped before. Not part of the warm-up. */
        COLD,
        /** Takes long, and is not part of the warm-up. */
        LONG
    }

    /** What a phase does. */
    interface Work {
        /**
         * Does it.
         *
         * @param folder of the round, which is empty before the first phase
         */
        void in(Path folder) throws IOException, InterruptedException;
    }

    static Phase of(String title, Work work) {
        return new Phase(title, Kind.ORDINARY, work);
    }

    /** The same work, as the first to ask. */
    static Phase cold(String title, Work work) {
        return new Phase(title + " cold", Kind.COLD, work);
    }
}
