package org.beefs.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartingConsoleTest {
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final LoggerContext context = new LoggerContext();
    private final StartingConsole console = new StartingConsole();
    private final Logger log = context.getLogger(StartingConsoleTest.class);

    @BeforeEach
    void start() {
        context.setMDCAdapter(new LogbackMDCAdapter());
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg ");
        encoder.start();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        console.setOutputStream(terminal);
        log.setLevel(Level.INFO);
        log.addAppender(console);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void shouldShowTheLinesOfAStartWhenItHasGoneWell() {
        log.info("first");
        log.warn("warning");
        assertThat(shown()).isEqualTo("warning ");

        console.release();
        log.info("last");

        assertThat(shown()).isEqualTo("warning first last ");
    }

    @Test
    void shouldShowNothingMoreWhenTheStartHasFailed() {
        log.info("first");

        console.silence();
        log.warn("another attempt has failed too");

        assertThat(shown()).isEmpty();
    }

    private String shown() {
        return terminal.toString(StandardCharsets.UTF_8);
    }
}
