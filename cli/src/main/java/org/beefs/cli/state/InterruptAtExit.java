package org.beefs.cli.state;

import java.io.PrintStream;
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

    /** Likewise where it has made nothing: a system call on a mount may take longer. */
    private static final Duration LAST_WORD = Duration.ofSeconds(5);

    /**
     * Of this program. Its main thread cannot be waited for: it asks for the end of the program, and waits there for
     * the hook.
     */
    private static final CountDownLatch COMMAND_ENDED = new CountDownLatch(1);

    private final Thread hook;

    /** @param made what people are told to look for, should there be no time to remove it all */
    public InterruptAtExit(String made) {
        this(CLEANING_UP, made);
    }

    /** For a command that has made nothing, and only wants to say something. */
    public InterruptAtExit() {
        this(LAST_WORD, "");
    }

    private InterruptAtExit(Duration patience, String made) {
        Thread working = Thread.currentThread();
        hook = new Thread(() -> interrupt(working, patience, made, System.err));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static void interrupt(Thread working, Duration patience, String made, PrintStream messages) {
        working.interrupt();
        try {
            boolean ended = COMMAND_ENDED.await(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended && !made.isEmpty()) {
                messages.println("beefs: there is no time to remove all that was made: remove " + made);
            }
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
