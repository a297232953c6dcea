package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.beefs.cli.CommandRun;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.program.CommandFailure;
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

    /** It loses none, though the queen-bee tells only some at a time. */
    @Test
    void shouldAskForMoreUntilThereIsNothingNew() {
        queenBee.answer("/api/v1/events", events(1, 500));
        queenBee.whenTold("/api/v1/events", this::tellTheNext);

        assertThat(command.runIn(temporary, "events", "--follow")).isEqualTo(ExitCode.FAILED);

        assertThat(command.out().lines()).hasSize(1001).last().asString().endsWith("event 1001");
        assertThat(queenBee.queries("/api/v1/events"))
                .extracting(query -> query.get("after"))
                .containsExactly("0", "500", "1000", "1001");
    }

    private void tellTheNext() {
        switch (queenBee.queries("/api/v1/events").size()) {
            case 1 -> {}
            case 2 -> queenBee.answer("/api/v1/events", events(501, 1000));
            case 3 -> queenBee.answer("/api/v1/events", events(1001, 1001));
            default -> throw new CommandFailure(ExitCode.FAILED, "she ends");
        }
    }

    private static String events(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj("""
                        {"id": %1$d, "time": "2026-01-02T03:04:05Z", "kind": "hive", "text": "event %1$d"}"""::formatted)
                .collect(Collectors.joining(",", "{\"events\": [", "]}"));
    }

    private int run(String desktop) {
        return command.runIn(temporary, "events", "--desktop", desktop);
    }
}
