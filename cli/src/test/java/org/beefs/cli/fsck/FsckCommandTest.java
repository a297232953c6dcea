package org.beefs.cli.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.beefs.cli.CommandRun;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Scripts that know fsck(8) take its exit code for one of that. */
class FsckCommandTest {
    private static final int NOT_CHECKED = 8;

    @TempDir
    private Path temporary;

    private final CommandRun command = new CommandRun();

    @Test
    void shouldNotHaveCheckedWithAWrongConfiguration() throws IOException {
        ProcessFolder queenBee = new HiveFolder(temporary).queenBee();
        queenBee.create();
        Files.writeString(queenBee.configuration(), "[queenbee]\nlistne = \"127.0.0.1:7411\"\n");

        assertThat(command.runIn(temporary, "fsck")).isEqualTo(NOT_CHECKED);
        assertThat(command.err()).startsWith("beefs: ").contains("listne").hasLineCount(1);
    }

    @Test
    void shouldNotHaveCheckedWithAKeyThatEverybodyCanRead() throws IOException {
        Path key = Files.writeString(temporary.resolve("hive.key"), "k".repeat(44));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(command.runIn(temporary, "fsck", "--queenbee", "127.0.0.1:1"))
                .isEqualTo(NOT_CHECKED);
        assertThat(command.err()).contains(key.toString()).hasLineCount(1);
    }

    @Test
    void shouldNotHaveCheckedWithoutAHive() {
        assertThat(command.runIn(temporary, "fsck")).isEqualTo(NOT_CHECKED);
    }

    @Test
    void shouldNotHaveCheckedWhenSomethingUnforeseenHappens() throws Exception {
        CommandLine beefs = command.commandLine();
        CommandLine fsck = beefs.getSubcommands().get("fsck");

        int exitCode = beefs.getExecutionExceptionHandler()
                .handleExecutionException(new IllegalStateException("a defect"), fsck, beefs.parseArgs("fsck"));

        assertThat(exitCode).isEqualTo(NOT_CHECKED);
    }
}
