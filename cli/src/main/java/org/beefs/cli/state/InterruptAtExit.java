package org.beefs.cli.state;

import java.time.Duration;

/**
 * While it is open, Ctrl-C interrupts the thread that opened it, and the program waits until that has removed its
 * files.
 */
public final class InterruptAtExit implements AutoCloseable {
    private static final Duration CLEANING_UP = Duration.ofSeconds(20);

    private final Thread hook;

    public InterruptAtExit() {
        Thread working = Thread.currentThread();
        hook = new Thread(() -> interrupt(working));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void interrupt(Thread working) {
        working.interrupt();
        try {
            working.join(CLEANING_UP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // The hook runs, and waits for this thread.
        }
    }
}
