package org.beefs.common.time;

import java.time.Duration;

/** Runs tasks later. Thread-safe. Tasks are short and never block; what they throw is logged and otherwise ignored. */
public interface Timers {
    /** Runs the task once, not before the delay has passed. */
    Timer schedule(Duration delay, Runnable task);

    /** A task that is going to run. */
    interface Timer {
        /** Keeps the task from running if it has not begun. Harmless when called again or too late. */
        void cancel();
    }
}
