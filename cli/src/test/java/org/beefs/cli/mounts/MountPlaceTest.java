package org.beefs.cli.mounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountPlaceTest {
    private static final MountTable NOTHING_MOUNTED = MountTable.parse("");

    @TempDir
    private Path temporary;

    private Path real;

    @BeforeEach
    void resolveTemporaryFolder() throws IOException {
        real = temporary.toRealPath();
    }

    @Test
    void shouldFollowLinksInFrontAndAtTheEnd() throws IOException {
        Files.createDirectories(real.resolve("deep/folder"));
        Files.createSymbolicLink(real.resolve("link"), Path.of("deep"));
        Files.createSymbolicLink(real.resolve("last"), Path.of("link/folder"));

        assertThat(MountPlace.resolve(real.resolve("link/folder"), NOTHING_MOUNTED))
                .isEqualTo(real.resolve("deep/folder"));
        assertThat(MountPlace.resolve(real.resolve("last"), NOTHING_MOUNTED)).isEqualTo(real.resolve("deep/folder"));
    }

    @Test
    void shouldTakeAFolderThatIsNotThereYet() {
        assertThat(MountPlace.resolve(real.resolve("a/../b/c"), NOTHING_MOUNTED))
                .isEqualTo(real.resolve("b/c"));
    }

    @Test
    void shouldNotLookIntoAMountedHive() throws IOException {
        Files.createSymbolicLink(real.resolve("hive"), Path.of("/nowhere"));
        MountTable table = MountTable.parse("30 1 0:9 / %s rw - fuse.beefs beefs rw\n".formatted(real.resolve("hive")));

        assertThat(MountPlace.resolve(real.resolve("hive"), table)).isEqualTo(real.resolve("hive"));
        assertThat(MountPlace.resolve(real.resolve("hive/inner"), table)).isEqualTo(real.resolve("hive/inner"));
    }

    @Test
    void shouldRefusePlacesInAMountedHive() {
        Path hive = real.resolve("hive");
        MountTable table = MountTable.parse("30 1 0:9 / %s rw - fuse.beefs beefs rw\n".formatted(hive));

        assertThatThrownBy(() -> MountPlace.requireOutside(hive.resolve("a/b"), table))
                .isInstanceOfSatisfying(
                        CommandFailure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FOLDER))
                .hasMessage("cannot mount at %1$s/a/b: it is in the hive that is mounted at %1$s; ".formatted(hive)
                        + "name a folder outside of it");
        MountPlace.requireOutside(hive, table);
        MountPlace.requireOutside(real.resolve("hive2"), table);
    }

    @Test
    void shouldGiveUpOnLinksInACircle() throws IOException {
        Files.createSymbolicLink(real.resolve("circle"), Path.of("circle"));

        assertThatThrownBy(() -> MountPlace.resolve(real.resolve("circle"), NOTHING_MOUNTED))
                .hasMessageContaining("too many symbolic links");
    }
}
