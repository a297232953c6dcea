package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.beefs.cli.Main;
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

    private final StringWriter err = new StringWriter();

    @Test
    void shouldNotHaveCheckedWithAWrongConfiguration() throws IOException {
        ProcessFolder queenBee = new HiveFolder(temporary).queenBee();
        queenBee.create();
        Files.writeString(queenBee.configuration(), "[queenbee]\nlistne = \"127.0.0.1:7411\"\n");

        assertThat(commandLine().execute("fsck", "--state", temporary.toString()))
                .isEqualTo(NOT_CHECKED);
        assertThat(err.toString()).startsWith("beefs: ").contains("listne").hasLineCount(1);
    }

    @Test
    void shouldNotHaveCheckedWithAKeyThatEverybodyCanRead() throws IOException {
        Path key = Files.writeString(temporary.resolve("hive.key"), "k".repeat(44));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(commandLine().execute("fsck", "--queenbee", "127.0.0.1:1", "--state", temporary.toString()))
                .isEqualTo(NOT_CHECKED);
        assertThat(err.toString()).contains(key.toString()).hasLineCount(1);
    }

    @Test
    void shouldNotHaveCheckedWithoutAHive() {
        assertThat(commandLine().execute("fsck", "--state", temporary.toString()))
                .isEqualTo(NOT_CHECKED);
    }

    @Test
    void shouldNotHaveCheckedWhenSomethingUnforeseenHappens() throws Exception {
        CommandLine beefs = commandLine();
        CommandLine fsck = beefs.getSubcommands().get("fsck");

        int exitCode = beefs.getExecutionExceptionHandler()
                .handleExecutionException(new IllegalStateException("a defect"), fsck, beefs.parseArgs("fsck"));

        assertThat(exitCode).isEqualTo(NOT_CHECKED);
    }

    private CommandLine commandLine() {
        return Main.commandLine().setErr(new PrintWriter(err, true));
    }
}
