package org.beefs.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.beefs.cli.terminal.TickingClock;
import org.beefs.common.time.Clock;
import org.junit.jupiter.api.Test;

class RecoveryLinesTest {
    private static final String PROGRESS = "recovery: 50 of 100 records collected (50 %), about 0:09 left";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private final Clock slow = new TickingClock(Duration.ofSeconds(2));

    @Test
    void shouldPassOnEachLineWhereThereIsNoTerminal() {
        try (RecoveryLines lines = lines(false)) {
            lines.accept(PROGRESS);
            lines.accept("recovery: 100 inodes");

            assertThat(out.toString().lines()).containsExactly(PROGRESS, "recovery: 100 inodes");
            assertThat(lines.told()).isEqualTo(List.of(PROGRESS, "recovery: 100 inodes"));
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldDrawABarOnATerminal() {
        try (RecoveryLines lines = lines(true)) {
            lines.accept(PROGRESS);
            lines.accept("recovery: /a\u001b[31m was found twice");

            assertThat(out.toString().lines()).containsExactly("recovery: /a?[31m was found twice");
            assertThat(lines.told()).hasSize(1);
        }
        assertThat(err.toString()).startsWith("\rrecovery      [###############...............] 50 of 100");
    }

    private RecoveryLines lines(boolean terminal) {
        return new RecoveryLines(new PrintWriter(out), new PrintWriter(err), terminal, slow);
    }
}
