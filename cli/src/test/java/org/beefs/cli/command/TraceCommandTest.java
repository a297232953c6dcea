package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.cli.CommandRun;
import org.beefs.cli.process.FakeHive;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TraceCommandTest {
    private static final String THIS_PROCESS =
            Long.toString(ProcessHandle.current().pid());

    @TempDir
    private Path temporary;

    @AutoClose
    private FakeHive hive;

    private final CommandRun command = new CommandRun();

    @BeforeEach
    void start() {
        hive = new FakeHive(temporary);
    }

    @Test
    void shouldEndAtItsTimeThoughThereIsAlwaysMoreToTell() {
        hive.desktop("desk1").makeBusy();

        assertThat(command.runIn(temporary, "trace", THIS_PROCESS, "--for", "100ms"))
                .isZero();

        assertThat(command.err()).contains("3 calls were left out");
    }
}
