package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.cli.program.ExitCode;
import org.beefs.integration.hive.StandaloneRoles;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code beefs posix-test}, on a plain directory: what suites score on a hive is said by the suites' own tests. */
class PosixTestIT {
    private final StandaloneRoles roles = new StandaloneRoles();

    @AfterEach
    void endAll() {
        roles.close();
    }

    @Test
    @Requires(mount = false, programs = "fsx")
    void shouldShowWhatPassedAndLeaveNothingBehind() {
        Path folder = roles.folder("plain");

        Result end = roles.beefs(
                        "posix-test", "--suite", "fsx", "--seeds", "2", "--operations", "200", folder.toString())
                .run();

        assertThat(end.output())
                .containsPattern("SUITE +AREA +PASSED +FAILED +SKIPPED")
                .containsPattern("fsx +content +2 +0 +0");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @Requires(mount = false, programs = "fsx")
    void shouldFailWithTheReasonWhereTheFileSystemFails() {
        Path tooSmall = Path.of("/sys/kernel");

        Result end =
                roles.beefs("posix-test", "--suite", "fsx", tooSmall.toString()).runToAnyEnd();

        assertThat(end.exitCode()).isNotZero();
        assertThat(end.errors()).startsWith("beefs: ").hasLineCount(1);
    }

    @Test
    void shouldNameTheFolderAndTheSuiteThatThereAreNot() {
        Result folder = roles.beefs("posix-test", "/nowhere").runToAnyEnd();
        assertThat(folder.exitCode()).isEqualTo(ExitCode.FOLDER);
        assertThat(folder.errors()).isEqualTo("beefs: /nowhere is not a folder in which files can be made\n");

        Result suite = roles.beefs("posix-test", "--suite", "ltp", "/tmp").runToAnyEnd();
        assertThat(suite.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(suite.errors()).contains("there is no suite ltp");
    }
}
