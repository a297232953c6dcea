package org.beefs.cli.daemon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Log lines on the terminal. Until {@link #release}, those that are no warnings are held, at most {@value #MOST_HELD} of
 * them: a start that fails is told in the one line that says why. Thread-safe.
 */
final class StartingConsole extends ConsoleAppender<ILoggingEvent> {
    private static final int MOST_HELD = 1000;

    /** Guarded by itself, as is {@link #starting}. */
    private final Queue<ILoggingEvent> held = new ArrayDeque<>();

    private boolean starting = true;

    /** Shows what was held, and from now on everything at once. Harmless when called again. */
    void release() {
        synchronized (held) {
            starting = false;
            held.forEach(super::append);
            held.clear();
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        synchronized (held) {
            if (!starting || event.getLevel().isGreaterOrEqual(Level.WARN)) {
                super.append(event);
            } else if (held.size() < MOST_HELD) {
                event.prepareForDeferredProcessing();
                held.add(event);
            }
        }
    }
}
