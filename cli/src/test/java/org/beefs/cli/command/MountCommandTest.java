package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.CommandRun;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.mount.Driver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountCommandTest {
    @TempDir
    private Path temporary;

    /** Of earlier versions scripts know the other name. */
    @ParameterizedTest
    @ValueSource(strings = {"--desktop", "--host"})
    void shouldMakeNoDesktopForAMountThatCannotBeMade(String option) throws IOException {
        HiveFolder folder = new HiveFolder(temporary.resolve("state"));
        ProcessFolder queenBee = folder.queenBee();
        queenBee.create();
        Files.createFile(queenBee.configuration());
        Path place = Files.createDirectory(temporary.resolve("full"));
        Files.createFile(place.resolve("file"));
        CommandRun command = new CommandRun();

        int exitCode = command.runIn(folder.path(), "mount", place.toString(), option, "laptop");

        assertThat(exitCode).isEqualTo(ExitCode.FOLDER);
        assertThat(command.err()).contains("it is not empty").hasLineCount(1);
        assertThat(folder.desktop("laptop").isKnown()).isFalse();
    }

    @Test
    void shouldTakeTheOnlyDesktopAndStartNoneThatAUnitStarts() throws IOException {
        HiveFolder folder = new HiveFolder(temporary.resolve("state"));
        setUp(folder.desktop("desk7"));
        CommandRun command = new CommandRun();

        int exitCode =
                command.runIn(folder.path(), "mount", temporary.resolve("look").toString());

        assertThat(exitCode).isEqualTo(ExitCode.NOT_RUNNING);
        assertThat(command.err())
                .contains("desk7 does not run here", "systemctl start beefs-desktop")
                .hasLineCount(1);
        assertThat(folder.desktops()).containsExactly(folder.desktop("desk7"));
        assertThat(folder.desktop("desk7").pid()).doesNotExist();
    }

    @Test
    void shouldMakeNoDesktopWhereItsNameMayBeAnotherMachines() throws IOException {
        HiveFolder folder = new HiveFolder(temporary.resolve("state"));
        setUp(folder.queenBee());
        Files.writeString(folder.queenBee().configuration(), "[queenbee]\nlisten = \"0.0.0.0:7411\"\n");
        CommandRun command = new CommandRun();

        int exitCode =
                command.runIn(folder.path(), "mount", temporary.resolve("look").toString());

        assertThat(exitCode).isEqualTo(ExitCode.NOT_RUNNING);
        assertThat(folder.desktops()).isEmpty();
    }

    @Test
    void shouldAskWhichOfSeveralDesktopsIsMeant() throws IOException {
        HiveFolder folder = new HiveFolder(temporary.resolve("state"));
        setUp(folder.desktop("desk7"));
        setUp(folder.desktop("desk8"));
        CommandRun command = new CommandRun();

        int exitCode =
                command.runIn(folder.path(), "mount", temporary.resolve("look").toString());

        assertThat(exitCode).isEqualTo(ExitCode.USAGE);
        assertThat(command.err()).contains("--desktop: desk7, desk8").hasLineCount(1);
    }

    /** So may who follows the advice of a warning about a mount that could not be made again. */
    @Test
    void shouldMountAsItWasThereBeforeWhatIsNotSaid() throws IOException {
        HiveFolder folder = new HiveFolder(temporary.resolve("state"));
        setUp(folder.desktop("desktop1"));
        Path place = temporary.toRealPath().resolve("look");
        new MountMemory(folder.desktop("desktop1").mounts())
                .add(new WantedMount(place.toString(), true, false, Driver.JNR));
        try (FakeHive hive = new FakeHive(folder.path())) {
            FakeDaemon daemon = hive.desktop("desktop1");
            CommandRun command = new CommandRun();

            assertThat(command.runIn(folder.path(), "mount", place.toString())).isZero();
            assertThat(command.out()).contains("read-only");
            assertThat(command.runIn(folder.path(), "mount", place.toString(), "--driver", "native"))
                    .isZero();

            assertThat(daemon.calls())
                    .containsExactly(
                            "mount " + new WantedMount(place.toString(), true, false, Driver.JNR),
                            "mount " + new WantedMount(place.toString(), true, false, Driver.NATIVE));
        }
    }

    private static void setUp(ProcessFolder process) throws IOException {
        process.create();
        Files.createFile(process.configuration());
    }
}
