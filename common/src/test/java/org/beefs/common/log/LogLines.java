package org.beefs.common.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a part of the product tells people while this is open: its lines. */
public final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    /** Usually; null as long as it is its parent's. */
    private final @Nullable Level level;

    /**
     * Listens.
     *
     * @param name a class, or a package with all below it
     */
    public LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        level = logger.getLevel();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    /** Whatever their level. */
    public List<String> all() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    public List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(level);
    }
}
