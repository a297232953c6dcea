package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.beefs.integration.faults.SmallDisk;
import org.beefs.integration.hive.StandaloneRoles;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The queen-bee ends when the disk with her state is full. She says so before, and says why at the end where no full
 * disk takes her words away; and what was answered is still there when she starts again.
 */
@Requires(programs = "mkfs.ext4")
class FullStateDiskIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final StandaloneRoles roles = new StandaloneRoles();
    private final Path mount = roles.path("mount");

    @AfterEach
    void endAll() {
        roles.close();
    }

    @Test
    void shouldTellThatTheDiskWillBeFullAndAtTheEndThatItIs() throws IOException {
        try (SmallDisk disk = SmallDisk.create(roles.path("disk"), "128M", "150M")) {
            Path state = disk.folder().resolve("data");
            RunningProgram queenBee = queenBee(state, "127.0.0.1:0");
            String address = StandaloneRoles.addressOf(queenBee);
            startDesktop(address);
            Path kept = Files.createDirectory(mount.resolve("kept"));
            assertThat(queenBee.errorsSoFar()).doesNotContain("are free on the disk");

            Path filler = disk.fill();

            Await.until(
                    SOON,
                    queenBee::errorsSoFar,
                    () -> queenBee.errorsSoFar().contains("are free on the disk of " + state));
            assertThat(roles.beefs("status").run().output())
                    .contains("are free on the queen-bee's own disk: the hive stops when it is full");
            changeWhile(queenBee, kept);
            assertThat(queenBee.endsWithin(SOON)).isTrue();
            assertThat(queenBee.errorsSoFar()).contains("the queen-bee ends: ", "No space left on device");

            Files.delete(filler);
            queenBee(state, address);
            Await.until(
                    SOON,
                    "names can be changed again",
                    () -> succeeds(() -> Files.createDirectories(kept.resolve("new"))));
            assertThat(mount).isDirectoryContaining(kept::equals);
        }
    }

    private RunningProgram queenBee(Path state, String address) {
        return roles.start("queenbee", "--listen", address, "--set", "queenbee.state=" + state);
    }

    private void startDesktop(String queenBee) {
        roles.start(
                "desktop",
                "desk7",
                "--queenbee",
                queenBee,
                "--mount",
                mount.toString(),
                "--set",
                "honeybee.patience=3s");
    }

    /** Until she has used up the room that her log has taken beforehand. */
    private static void changeWhile(RunningProgram queenBee, Path directory) {
        ByteBuffer value = ByteBuffer.allocate(32 << 10);
        Await.until(
                SOON,
                "there is no room for changes",
                () -> !queenBee.isRunning()
                        || !succeeds(() -> Files.setAttribute(directory, "user:large", value.clear())));
    }

    private interface Change {
        void make() throws IOException;
    }

    private static boolean succeeds(Change change) {
        try {
            change.make();
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }
}
