package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {
    @TempDir
    private Path temporary;

    private ProcessFolder folder;

    @BeforeEach
    void makeFolder() {
        folder = new HiveFolder(temporary).desktop("desktop1");
        folder.create();
    }

    @Test
    void shouldShowWhoRunsInTheFolder() {
        try (PidFile _ = PidFile.take(folder)) {
            assertThat(Files.exists(folder.pid())).isTrue();
        }
        assertThat(DaemonStopper.living(folder)).contains(ProcessIdentity.current());
    }

    @Test
    void shouldLeaveNothingOfALongerTextThatWasThere() throws IOException {
        Files.writeString(folder.pid(), "1".repeat(5000));

        try (PidFile _ = PidFile.take(folder)) {
            // another process would read it now
        }

        assertThat(folder.pid()).hasContent(ProcessIdentity.current() + "\n");
    }

    @Test
    void shouldNotWriteWhereALinkLeads() throws IOException {
        Path other = Files.writeString(temporary.resolve("other"), "kept");
        Files.createSymbolicLink(folder.pid(), other);

        assertThatThrownBy(() -> PidFile.take(folder)).isInstanceOf(CommandFailure.class);
        assertThat(other).hasContent("kept");
    }

    @Test
    void shouldNotLockWhereALinkLeads() throws IOException {
        Path other = temporary.resolve("other");
        Files.createSymbolicLink(temporary.resolve("lock"), other);

        assertThatThrownBy(() -> HiveLock.take(new HiveFolder(temporary))).isInstanceOf(CommandFailure.class);
        assertThat(other).doesNotExist();
    }

    @Test
    void shouldLetOnlyOneDaemonIntoAFolder() {
        try (PidFile _ = PidFile.take(folder)) {
            assertThatThrownBy(() -> PidFile.take(folder))
                    .hasMessage("desktop1 already runs on the folder " + folder.path());
        }
        PidFile.take(folder).close();
    }
}
