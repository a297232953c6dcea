package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.CommandRun;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnitsTest {
    @TempDir
    private Path temporary;

    private HiveFolder hive;

    @BeforeEach
    void name() {
        hive = new HiveFolder(temporary.resolve("state"));
    }

    @Test
    void shouldLeaveToUnitsWhatTheyStartUnlessSomebodyNamesTheFolder() throws IOException {
        configure(hive.queenBee(), "[queenbee]\nlisten = \"0.0.0.0:7411\"\n");

        assertThatThrownBy(() -> requireNone(false))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("systemctl stop beefs-desktop")
                .hasMessageContaining("beefs down --state " + hive.path());
        requireNone(true);
    }

    @Test
    void shouldKnowByItsDesktopsThatAHiveHasOtherMachines() throws IOException {
        configure(hive.desktop("desk1"), "[desktop]\nname = \"desk1\"\n[queenbee]\naddress = \"192.0.2.1:7411\"\n");

        assertThatThrownBy(() -> requireNone(false)).isInstanceOf(CommandFailure.class);
    }

    /** Also one whose queen-bee's folder is lost. */
    @Test
    void shouldLetUpAndDownHaveAHiveThatIsAllHere() throws IOException {
        requireNone(false);

        configure(hive.desktop("desktop1"), "[desktop]\nname = \"a\"\n[queenbee]\naddress = \"127.0.0.1:7411\"\n");
        requireNone(false);

        configure(hive.queenBee(), "[queenbee]\nlisten = \"127.0.0.1:7411\"\n");
        requireNone(false);
    }

    @Test
    void shouldNotKeepAHiveFromBeingStoppedWhoseFilesAreDamaged() throws IOException {
        configure(hive.queenBee(), "no TOML");

        requireNone(false);
    }

    @Test
    void shouldStopWhatRunsWhereTheFolderIsNamed() throws IOException {
        configure(hive.queenBee(), "[queenbee]\nlisten = \"0.0.0.0:7411\"\n");

        CommandRun command = new CommandRun();

        assertThat(command.runIn(hive.path(), "down")).isZero();
        assertThat(command.out()).contains("Nothing was running.");
    }

    private void requireNone(boolean typed) {
        Units.requireNone(hive, typed, "down", "systemctl stop beefs-desktop");
    }

    private static void configure(ProcessFolder process, String text) throws IOException {
        process.create();
        Files.writeString(process.configuration(), text);
    }
}
