package org.beefs.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Log lines on the terminal. Until {@link #release}, those that are no warnings are held, at most {@value #MOST_HELD}
 * of them: a start that fails is told in the one line that says why. So is nothing shown any more after
 * {@link #silence}. Thread-safe.
 */
public final class StartingConsole extends ConsoleAppender<ILoggingEvent> {
    private static final int MOST_HELD = 1000;

    /** Guarded by itself, as are the flags below. */
    private final Queue<ILoggingEvent> held = new ArrayDeque<>();

    private boolean starting = true;
    private boolean silent;

    /** Shows what was held, and from now on everything at once. Harmless when called again. */
    public void release() {
        synchronized (held) {
            starting = false;
            held.forEach(super::append);
            held.clear();
        }
    }

    /**
     * The start has failed, and the command is about to say why: what still goes on in the background does not matter.
     */
    public void silence() {
        synchronized (held) {
            silent = true;
            held.clear();
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        synchronized (held) {
            if (silent) {
                return;
            }
            if (!starting || event.getLevel().isGreaterOrEqual(Level.WARN)) {
                super.append(event);
            } else if (held.size() < MOST_HELD) {
                event.prepareForDeferredProcessing();
                held.add(event);
            }
        }
    }
}
