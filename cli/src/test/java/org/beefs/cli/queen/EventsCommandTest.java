package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.cli.CommandRun;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.program.ExitCode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsCommandTest {
    private static final String ONE = """
            {"events": [{"id": 7, "time": "2026-01-02T03:04:05Z", "kind": "desktop", "desktop": "gone", "text": "gone is lost"}]}""";

    @TempDir
    private Path temporary;

    @AutoClose
    private FakeHive hive;

    private final CommandRun command = new CommandRun();
    private FakeDaemon queenBee;

    @BeforeEach
    void start() {
        hive = new FakeHive(temporary);
        queenBee = hive.queenBee();
    }

    @Test
    void shouldSayThatThereIsNoSuchDesktop() {
        queenBee.answer("/api/v1/events", "{\"events\": []}");

        assertThat(run("foo")).isEqualTo(ExitCode.FAILED);

        assertThat(command.err()).isEqualTo("beefs: there is no /api/v1/desktops/foo\n");
    }

    @Test
    void shouldSayNothingOfADesktopOfWhichThereIsNothingToTell() {
        queenBee.answer("/api/v1/events", "{\"events\": []}");
        queenBee.answer("/api/v1/desktops/quiet", "{}");

        assertThat(run("quiet")).isZero();

        assertThat(command.out()).isEmpty();
    }

    @Test
    void shouldTellOfADesktopThatIsNoMore() {
        queenBee.answer("/api/v1/events", ONE);

        assertThat(run("gone")).isZero();

        assertThat(command.out()).contains("gone is lost");
    }

    private int run(String desktop) {
        return command.runIn(temporary, "events", "--desktop", desktop);
    }
}
