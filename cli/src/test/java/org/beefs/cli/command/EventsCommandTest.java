package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.Main;
import org.beefs.cli.control.ControlServer;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.ProcessIdentity;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class EventsCommandTest {
    private static final String ONE = """
            {"events": [{"id": 7, "time": "2026-01-02T03:04:05Z", "kind": "desktop", "desktop": "gone", "text": "gone is lost"}]}""";

    @TempDir
    private Path temporary;

    private final FakeDaemon queenBee = new FakeDaemon();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private ControlServer server;

    @BeforeEach
    void start() throws IOException {
        ProcessFolder folder = new HiveFolder(temporary).queenBee();
        folder.create();
        Files.writeString(folder.pid(), ProcessIdentity.current().toString());
        server = ControlServer.open(folder.control(), queenBee, (_, _) -> () -> {});
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void shouldSayThatThereIsNoSuchDesktop() {
        queenBee.answer("/api/v1/events", "{\"events\": []}");

        assertThat(run("foo")).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString()).isEqualTo("beefs: there is no /api/v1/desktops/foo\n");
    }

    @Test
    void shouldSayNothingOfADesktopOfWhichThereIsNothingToTell() {
        queenBee.answer("/api/v1/events", "{\"events\": []}");
        queenBee.answer("/api/v1/desktops/quiet", "{}");

        assertThat(run("quiet")).isZero();

        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldTellOfADesktopThatIsNoMore() {
        queenBee.answer("/api/v1/events", ONE);

        assertThat(run("gone")).isZero();

        assertThat(out.toString()).contains("gone is lost");
    }

    private int run(String desktop) {
        CommandLine beefs = Main.commandLine();
        beefs.setOut(new PrintWriter(out, true));
        beefs.setErr(new PrintWriter(err, true));
        return beefs.execute("events", "--desktop", desktop, "--state", temporary.toString());
    }
}
