package org.beefs.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TerminalTest {
    private static final String FOUND = "beefs.terminal-of-this-test";

    @AfterEach
    void clear() {
        System.clearProperty(FOUND);
    }

    @Test
    void shouldDrawOnlyOnTerminalsThatKnowMoreThanLines() {
        assertThat(Terminal.draws(FOUND, "xterm")).isFalse();

        System.setProperty(FOUND, "true");

        assertThat(Terminal.draws(FOUND, "xterm")).isTrue();
        assertThat(Terminal.draws(FOUND, null)).isTrue();
        assertThat(Terminal.draws(FOUND, "dumb")).isFalse();
    }
}
