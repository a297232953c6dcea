package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.CommandRun;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to all honeycombs of a machine. */
class EachHoneycombTest {
    @TempDir
    private Path temporary;

    @AutoClose
    private FakeHive hive;

    private final CommandRun command = new CommandRun();
    private FakeDaemon first;
    private FakeDaemon second;
    private FakeDaemon third;

    @BeforeEach
    void start() {
        hive = new FakeHive(temporary);
        first = hive.desktop("desktop1");
        second = hive.desktop("desktop2");
        third = hive.desktop("desktop3");
    }

    @Test
    void shouldPauseTheOthersWhereADesktopHasNoHoneycomb() {
        first.removeHoneycomb();

        assertThat(run("pause", "1h")).isZero();

        assertThat(first.calls()).isEmpty();
        assertThat(second.calls()).containsExactly("pause PT1H");
        assertThat(third.calls()).containsExactly("pause PT1H");
        assertThat(command.err()).isEmpty();
    }

    @Test
    void shouldPauseTheOthersWhereADesktopRefuses() {
        first.refuse(new CommandFailure(ExitCode.FOLDER, "no room at the inn"));
        second.refuse(new CommandFailure(ExitCode.FAILED, "nor here"));

        assertThat(run("pause", "1h")).isEqualTo(ExitCode.FOLDER);

        assertThat(third.calls()).containsExactly("pause PT1H");
        assertThat(command.out()).contains("desktop3 is paused");
        assertThat(command.err()).isEqualTo("beefs: no room at the inn\nnor here\n");
    }

    @Test
    void shouldAskTheDesktopThatIsNamedWhateverItHas() {
        first.removeHoneycomb();
        first.refuse(new CommandFailure(ExitCode.FAILED, "it has no honeycomb"));

        assertThat(run("pause", "1h", "--desktop", "desktop1")).isEqualTo(ExitCode.FAILED);

        assertThat(command.err()).contains("it has no honeycomb");
    }

    @Test
    void shouldSayThatNoDesktopHasAHoneycomb() {
        List.of(first, second, third).forEach(FakeDaemon::removeHoneycomb);

        assertThat(run("pause", "1h")).isEqualTo(ExitCode.FAILED);

        assertThat(command.err()).contains("no desktop that runs in " + temporary + " has a honeycomb");
    }

    @Test
    void shouldScrubTheOthersWhereADesktopHasNoHoneycombOrRefuses() {
        first.removeHoneycomb();
        second.refuse(new CommandFailure(ExitCode.FAILED, "it is paused"));

        assertThat(run("scrub")).isEqualTo(ExitCode.FAILED);

        assertThat(third.calls()).containsExactly("scrub");
        assertThat(command.out()).contains("desktop3: 7 replicas were read");
        assertThat(command.err()).contains("it is paused");
    }

    /** It goes on when the pause is over, which may be tomorrow. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void shouldNotWaitForARoundThatAPauseHasInterrupted() {
        second.whenTold("scrub", second::pauseInRound);

        assertThat(run("scrub")).isEqualTo(ExitCode.FAILED);

        assertThat(third.calls()).containsExactly("scrub");
        assertThat(command.err()).contains("desktop2 is paused", "beefs pause --resume");
        assertThat(command.out()).contains("desktop1: 7 replicas were read").doesNotContain("desktop2");
    }

    private int run(String... arguments) {
        return command.runIn(temporary, arguments);
    }
}
