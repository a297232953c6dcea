package org.beefs.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a daemon's log says, whatever the names in it are made of. */
class LoggingTest {
    @TempDir
    private Path folder;

    @AfterEach
    void logAsBefore() throws Exception {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        new ContextInitializer(context).autoConfig();
    }

    @Test
    void shouldWriteOneLineThatCommandsNothing() throws IOException {
        Path log = folder.resolve("log");
        Logging.toFile(log, Level.INFO);

        LoggerFactory.getLogger(LoggingTest.class).info("removed {}", "a\nb\r\u001b[31mc\u009bd\u202ee ä '%n {}");

        assertThat(Files.readString(log))
                .endsWith("LoggingTest: removed a?b??[31mc?d?e ä '%n {}\n")
                .hasLineCount(1);
    }
}
