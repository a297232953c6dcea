package org.beefs.cli.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.CommandRun;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RunningQueenBeeTest {
    @TempDir
    private Path temporary;

    private final CommandRun command = new CommandRun();
    private ProcessFolder folder;

    @BeforeEach
    void open() {
        folder = new HiveFolder(temporary).queenBee();
    }

    /** The kernel takes connections for one that was stopped. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void shouldNotBeWaitedForLongWhenSheIsStopped() throws IOException {
        askOneThatIsStopped();

        assertThat(command.err())
                .startsWith("beefs: the queen-bee runs and does not answer (")
                .contains("; see its log (journalctl")
                .hasLineCount(1);
    }

    /** She has it open, unless she runs in the foreground. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void shouldNameTheFileThatHerLogIsIn() throws IOException {
        folder.create();
        try (OutputStream _ = Files.newOutputStream(folder.log())) {
            askOneThatIsStopped();
        }

        assertThat(command.err()).contains("; see " + folder.log());
    }

    @Test
    void shouldSayWhereSheIsOnADesktop() throws IOException {
        configure("desk5", "[desktop]\nname = \"desk5\"\n[queenbee]\naddress = \"192.0.2.7:7411\"\n");

        assertNotRunning("; she is at 192.0.2.7:7411: give the command there");
    }

    @Test
    void shouldSayHowSheIsStarted() throws IOException {
        configure("queenbee", "[queenbee]\nlisten = \"0.0.0.0:7411\"\n");
        assertNotRunning("; see systemctl status beefs-queenbee");

        configure("queenbee", "[queenbee]\nlisten = \"127.0.0.1:7411\"\n");
        assertNotRunning("; start her: beefs up --state " + temporary);
    }

    @Test
    void shouldAskForAnotherFolderWhereNothingSaysWhereSheIs() throws IOException {
        assertNotRunning("; is it elsewhere? Name its folder: --state ");

        configure("desktop1", "[desktop]\nname = \"desktop1\"\n[queenbee]\naddress = \"127.0.0.1:7411\"\n");
        assertNotRunning("; is it elsewhere? Name its folder: --state ");
    }

    private void configure(String process, String text) throws IOException {
        Path made = Files.createDirectories(temporary.resolve(process));
        Files.writeString(made.resolve(process.equals("queenbee") ? "queenbee.toml" : "desktop.toml"), text);
    }

    private void assertNotRunning(String advice) {
        CommandRun asked = new CommandRun();

        assertThat(asked.runIn(temporary, "drain", "desk5")).isEqualTo(ExitCode.NOT_RUNNING);

        assertThat(asked.err()).startsWith("beefs: no queen-bee runs in " + folder.path() + advice);
    }

    private void askOneThatIsStopped() throws IOException {
        FakeHive.showAsLiving(folder);
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(folder.control()));

            assertThat(command.runIn(temporary, "ls")).isEqualTo(ExitCode.FAILED);
        }
    }
}
