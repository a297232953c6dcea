package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.CommandRun;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
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
}
