package org.beefs.cli.mounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.beefs.cli.program.CommandFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mounts that are in use. They are of memory, not of a hive: the kernel treats them alike. */
class MountRemovalTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration IMPATIENCE = Duration.ofSeconds(1);

    @TempDir
    private Path place;

    @BeforeEach
    void mount() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root mounts file systems of memory");
        assertThat(run("mount", "-t", "tmpfs", "none", place.toString())).isZero();
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", "-l", place.toString());
    }

    @Test
    void shouldWaitForWhoIsJustLeaving() throws IOException {
        OutputStream file = Files.newOutputStream(place.resolve("file"));

        assertThat(MountRemoval.politely(place, PATIENCE, () -> close(file))).isTrue();

        assertThat(place.resolve("file")).doesNotExist();
    }

    @Test
    void shouldSayThatAMountIsInUse() throws IOException {
        try (OutputStream file = Files.newOutputStream(place.resolve("file"))) {
            assertThatThrownBy(() -> MountRemoval.politely(place, PATIENCE))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("is in use");
            file.write(1);
        }
    }

    /** Otherwise the daemon would cut them off. All tries together take longer than the patience. */
    @Test
    void shouldNotTakeProgramsThatUseTheMountForADaemonThatHangs() throws IOException {
        try (OutputStream file = Files.newOutputStream(place.resolve("file"))) {
            assertThatThrownBy(() -> MountRemoval.politely(
                            place, IMPATIENCE, () -> LockSupport.parkNanos(IMPATIENCE.toNanos() / 8)))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("is in use");
            file.write(1);
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldSayThatAHiveIsHiddenByAMountAboveIt() throws Exception {
        UnservedHive.assumePossible();
        Path above = Files.createDirectory(place.toRealPath().resolve("above"));
        Path point = Files.createDirectory(above.resolve("hive"));
        try (UnservedHive hive = UnservedHive.mount(point)) {
            assertThat(run("mount", "-t", "tmpfs", "none", above.toString())).isZero();

            assertThatThrownBy(() -> MountRemoval.now(point))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("something else is mounted over");

            assertThat(run("umount", above.toString())).isZero();
            MountRemoval.now(point);
            assertThat(hive.isSeen()).isFalse();
        }
    }

    private static void close(OutputStream file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor();
    }
}
