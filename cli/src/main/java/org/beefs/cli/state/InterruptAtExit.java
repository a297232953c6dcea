package org.beefs.cli.state;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While it is open, Ctrl-C interrupts the thread that opened it, and the program ends only when its command has ended:
 * with its files removed, and with its last line printed.
 */
public final class InterruptAtExit implements AutoCloseable {
    /** After that the program ends although its command has not. */
    private static final Duration CLEANING_UP = Duration.ofSeconds(20);

    /**
     * Of this program. Its main thread cannot be waited for: it asks for the end of the program, and waits there for
     * the hook.
     */
    private static final CountDownLatch COMMAND_ENDED = new CountDownLatch(1);

    private final Thread hook;

    public InterruptAtExit() {
        Thread working = Thread.currentThread();
        hook = new Thread(() -> interrupt(working));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void interrupt(Thread working) {
        working.interrupt();
        try {
            COMMAND_ENDED.await(CLEANING_UP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** To be called once, when the program has nothing to do but to end. */
    public static void commandEnded() {
        COMMAND_ENDED.countDown();
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // The hook runs, and waits for the command.
        }
    }
}
