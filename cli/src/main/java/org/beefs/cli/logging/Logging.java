package org.beefs.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Where a daemon's log lines go. Tools log warnings to stderr (logback.xml) and never call this. */
public final class Logging {
    private static final FileSize LARGEST = new FileSize(10 * FileSize.MB_COEFFICIENT);
    private static final int ROLLED_FILES = 3;

    private Logging() {}

    /**
     * To stderr, for a daemon in the foreground.
     *
     * @return holds the lines about a start that goes well until it is known to have done so, unless details are asked
     *     for
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

    /**
     * Writes the log as the configuration says, from now on.
     *
     * @param role whose log it is
     * @param desktop its name; null for what is no desktop
     */
    public static void use(LogConfig config, String role, @Nullable String desktop) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        if (config.isJson()) {
            context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders().forEachRemaining(appender -> {
                if (appender instanceof OutputStreamAppender<ILoggingEvent> writing) {
                    writing.setEncoder(encoder(context, new JsonLayout(role, desktop)));
                }
            });
        }
    }

    private static LoggerContext reset(Level level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(level);
        context.getLogger("io.netty").setLevel(Level.WARN);
        return context;
    }

    private static void start(LoggerContext context, OutputStreamAppender<ILoggingEvent> appender) {
        appender.setContext(context);
        appender.setEncoder(encoder(context, new PlainLayout()));
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext context, LayoutBase<ILoggingEvent> layout) {
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(layout);
        encoder.start();
        return encoder;
    }
}
