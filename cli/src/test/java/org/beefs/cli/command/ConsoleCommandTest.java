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
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConsoleCommandTest {
    private static final String OFF = "{\"address\": null, \"accounts\": 1}";

    @TempDir
    private Path temporary;

    private final FakeDaemon queenBee = new FakeDaemon();
    private final StringWriter out = new StringWriter();
    private ControlServer server;

    @BeforeEach
    void start() throws IOException {
        ProcessFolder folder = new HiveFolder(temporary).queenBee();
        folder.create();
        Files.writeString(folder.pid(), ProcessIdentity.current().toString());
        server = ControlServer.open(folder.control(), queenBee, (_, _) -> () -> {});
        queenBee.answer(
                "/api/v1/accounts/admin",
                "{\"name\": \"admin\", \"role\": \"administrator\", \"password\": \"quite-secret\"}");
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void shouldShowANewPasswordAndWhereItIsFor() {
        queenBee.answer("/api/v1/console", "{\"address\": \"http://127.0.0.1:7070/\", \"accounts\": 1}");

        run("--new-password");

        assertThat(out.toString())
                .contains("The console is at http://127.0.0.1:7070/", "as admin with the password quite-secret ");
    }

    /** The former one is worth nothing any more. */
    @Test
    void shouldShowANewPasswordAlsoWhenTheConsoleIsOff() {
        queenBee.answer("/api/v1/console", OFF);

        run("--new-password");

        assertThat(out.toString()).contains("The console is off", "as admin with the password quite-secret ");
    }

    @Test
    void shouldSayThatTheConsoleIsOff() {
        queenBee.answer("/api/v1/console", OFF);

        run();

        assertThat(out.toString()).startsWith("The console is off").hasLineCount(1);
    }

    private void run(String... options) {
        CommandLine beefs = Main.commandLine();
        beefs.setOut(new PrintWriter(out, true));
        String[] command = new String[options.length + 3];
        command[0] = "console";
        command[1] = "--state";
        command[2] = temporary.toString();
        System.arraycopy(options, 0, command, 3, options.length);
        assertThat(beefs.execute(command)).isZero();
    }
}
