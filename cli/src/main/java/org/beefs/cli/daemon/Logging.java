package org.beefs.cli.daemon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/** Where a daemon's log lines go. Tools log warnings to stderr (logback.xml) and never call this. */
public final class Logging {
    /** One line for each message: names of files and users in it can neither forge another line nor command a terminal. */
    private static final String PATTERN =
            "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %replace(%msg){'[\\p{Cntrl}\\u0080-\\u009f\\u202a-\\u202e\\u2066-\\u2069]', '?'}%n";

    private static final FileSize LARGEST = new FileSize(10 * FileSize.MB_COEFFICIENT);
    private static final int ROLLED_FILES = 3;

    private Logging() {}

    /**
     * To stderr, for a daemon in the foreground.
     *
     * @return holds the lines about a start that goes well until it is known to have done so, unless details are asked for
     */
    public static StartingConsole toConsole(Level level) {
        LoggerContext context = reset(level);
        StartingConsole console = new StartingConsole();
        console.setTarget("System.err");
        if (!level.isGreaterOrEqual(Level.INFO)) {
            console.release();
        }
        start(context, console);
        return console;
    }

    /** To a file of at most 10 MB and three older ones beside it. */
    public static void toFile(Path file, Level level) {
        LoggerContext context = reset(level);
        RollingFileAppender<ILoggingEvent> rolling = new RollingFileAppender<>();
        rolling.setFile(file.toString());

        FixedWindowRollingPolicy window = new FixedWindowRollingPolicy();
        window.setContext(context);
        window.setParent(rolling);
        window.setFileNamePattern(file + ".%i");
        window.setMinIndex(1);
        window.setMaxIndex(ROLLED_FILES);
        window.start();

        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(LARGEST);
        size.setCheckIncrement(Duration.buildBySeconds(1));
        size.start();

        rolling.setRollingPolicy(window);
        rolling.setTriggeringPolicy(size);
        start(context, rolling);
    }

    private static LoggerContext reset(Level level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(level);
        context.getLogger("io.netty").setLevel(Level.WARN);
        return context;
    }

    private static void start(LoggerContext context, OutputStreamAppender<ILoggingEvent> appender) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern(PATTERN);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }
}
