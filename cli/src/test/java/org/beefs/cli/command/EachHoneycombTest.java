package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.Main;
import org.beefs.cli.control.ControlServer;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.ProcessIdentity;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is done to all honeycombs of a machine. */
class EachHoneycombTest {
    @TempDir
    private Path temporary;

    private final List<ControlServer> servers = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private FakeDaemon first;
    private FakeDaemon second;
    private FakeDaemon third;

    @BeforeEach
    void start() throws IOException {
        first = daemon("desktop1");
        second = daemon("desktop2");
        third = daemon("desktop3");
    }

    @AfterEach
    void end() {
        servers.forEach(ControlServer::close);
    }

    @Test
    void shouldPauseTheOthersWhereADesktopHasNoHoneycomb() {
        first.removeHoneycomb();

        assertThat(run("pause", "1h")).isZero();

        assertThat(first.calls()).isEmpty();
        assertThat(second.calls()).containsExactly("pause PT1H");
        assertThat(third.calls()).containsExactly("pause PT1H");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldPauseTheOthersWhereADesktopRefuses() {
        first.refuse(new CommandFailure(ExitCode.FOLDER, "no room at the inn"));
        second.refuse(new CommandFailure(ExitCode.FAILED, "nor here"));

        assertThat(run("pause", "1h")).isEqualTo(ExitCode.FOLDER);

        assertThat(third.calls()).containsExactly("pause PT1H");
        assertThat(out.toString()).contains("desktop3 is paused");
        assertThat(err.toString()).isEqualTo("beefs: no room at the inn\nnor here\n");
    }

    @Test
    void shouldAskTheDesktopThatIsNamedWhateverItHas() {
        first.removeHoneycomb();
        first.refuse(new CommandFailure(ExitCode.FAILED, "it has no honeycomb"));

        assertThat(run("pause", "1h", "--desktop", "desktop1")).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString()).contains("it has no honeycomb");
    }

    @Test
    void shouldSayThatNoDesktopHasAHoneycomb() {
        List.of(first, second, third).forEach(FakeDaemon::removeHoneycomb);

        assertThat(run("pause", "1h")).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString()).contains("no desktop that runs in " + temporary + " has a honeycomb");
    }

    @Test
    void shouldScrubTheOthersWhereADesktopHasNoHoneycombOrRefuses() {
        first.removeHoneycomb();
        second.refuse(new CommandFailure(ExitCode.FAILED, "it is paused"));

        assertThat(run("scrub")).isEqualTo(ExitCode.FAILED);

        assertThat(third.calls()).containsExactly("scrub");
        assertThat(out.toString()).contains("desktop3: 7 replicas were read");
        assertThat(err.toString()).contains("it is paused");
    }

    private FakeDaemon daemon(String name) throws IOException {
        ProcessFolder folder = new HiveFolder(temporary).desktop(name);
        folder.create();
        Files.writeString(folder.pid(), ProcessIdentity.current().toString());
        FakeDaemon daemon = new FakeDaemon();
        servers.add(ControlServer.open(folder.control(), daemon, (_, _) -> () -> {}));
        return daemon;
    }

    private int run(String... arguments) {
        CommandLine beefs = Main.commandLine();
        beefs.setOut(new PrintWriter(out, true));
        beefs.setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--state", temporary.toString()));
        return beefs.execute(all.toArray(String[]::new));
    }
}
