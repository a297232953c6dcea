package org.beefs.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.linux.FileOwner;
import org.beefs.common.linux.MountFlags;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state folder that nobody has named is not one that another user has laid out. */
class FoundFolderTest {
    private static final int SOMEBODY = 12_345;

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void place() {
        folder = temporary.resolve(".beefs");
    }

    @Test
    void shouldUseAFolderOfOnesOwnAndMakeOne() throws IOException {
        assumeFalse(isRoot() && MountFlags.isNosuid(temporary), "root uses nothing there unasked");
        assertThat(HiveFolder.found(folder).path()).isEqualTo(folder);
        Files.createDirectories(folder.resolve("queenbee"));
        Files.createFile(folder.resolve("lock"));

        assertThat(HiveFolder.found(folder).path()).isEqualTo(folder);
    }

    @Test
    void shouldRefuseAFolderOfSomebodyElse() throws IOException {
        Files.createDirectory(folder);
        giveAway(folder);

        shouldBeRefused(folder, "belongs to another user");
    }

    @Test
    void shouldRefuseAProcessFolderOfSomebodyElse() throws IOException {
        Path queenBee = Files.createDirectories(folder.resolve("queenbee"));
        giveAway(queenBee);

        shouldBeRefused(queenBee, "belongs to another user");
    }

    @Test
    void shouldRefuseSymbolicLinks() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Files.createSymbolicLink(folder, elsewhere);
        shouldBeRefused(folder, "is a symbolic link");

        Files.delete(folder);
        Files.createDirectory(folder);
        Path queenBee = Files.createSymbolicLink(folder.resolve("queenbee"), elsewhere);
        shouldBeRefused(queenBee, "is a symbolic link");
    }

    /** Who brings a disk has root own there what he likes. */
    @Test
    void shouldRefuseRootAFolderOnADiskThatAUserHasMounted() throws Exception {
        assumeTrue(isRoot(), "only root mounts with a command");
        run("mount", "-t", "tmpfs", "-o", "nosuid", "none", temporary.toString());
        try {
            Files.createDirectory(folder);

            shouldBeRefused(folder, "is on a file system mounted with nosuid");
            assertThat(HiveFolder.choose(folder, Map.of()).path()).isEqualTo(folder);
        } finally {
            run("umount", temporary.toString());
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void shouldUseAFolderOfSomebodyElseThatIsNamed() throws IOException {
        Files.createDirectory(folder);
        giveAway(folder);

        assertThat(HiveFolder.choose(folder, Map.of()).path()).isEqualTo(folder);
        assertThat(HiveFolder.choose(null, Map.of("BEEFS_STATE", folder.toString()))
                        .path())
                .isEqualTo(folder);
    }

    private static void giveAway(Path path) throws IOException {
        assumeTrue(isRoot(), "only root can give folders away");
        Files.setAttribute(path, "unix:uid", SOMEBODY);
    }

    private static boolean isRoot() throws IOException {
        return FileOwner.ofThisProcess() == FileOwner.ROOT;
    }

    private void shouldBeRefused(Path path, String why) {
        assertThatThrownBy(() -> HiveFolder.found(folder))
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageStartingWith(path + " " + why)
                .hasMessageContaining("--state");
    }
}
