package org.beefs.simulator;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.function.Consumer;

/**
 * Hears what production code logs as an error with its cause: what it did not foresee, and answers with EIO or tries
 * again, so that nobody else would notice. Each thread drives a run of its own.
 */
public final class Defects extends AppenderBase<ILoggingEvent> {
    private static final ThreadLocal<Consumer<String>> LISTENER = ThreadLocal.withInitial(() -> defect -> {});

    /** The run on this thread is told from now on. */
    static void tell(Consumer<String> listener) {
        LISTENER.set(listener);
    }

    /** Nobody on this thread is told any more. */
    static void tellNobody() {
        LISTENER.remove();
    }

    @Override
    protected void append(ILoggingEvent event) {
        IThrowableProxy cause = event.getThrowableProxy();
        if (cause != null) {
            LISTENER.get().accept(event.getFormattedMessage() + "\n" + ThrowableProxyUtil.asString(cause));
        }
    }
}
