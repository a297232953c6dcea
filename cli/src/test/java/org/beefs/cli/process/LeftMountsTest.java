package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.beefs.cli.Main;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.linux.Libc;
import org.beefs.honeybee.fuse.Umount;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is mounted where desktops of a hive that is stopped remember mounts. */
class LeftMountsTest {
    private static final int O_RDWR = 2;

    @TempDir
    private Path temporary;

    private Path place;
    private Hive hive;

    /** Serves the mount as long as it is open; 0 without one. */
    private int device;

    @BeforeEach
    void rememberAMount() throws IOException {
        assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/fuse")),
                "only root mounts without a daemon that agrees");
        place = Files.createDirectory(temporary.toRealPath().resolve("hive"));
        HiveFolder folder = new HiveFolder(temporary.resolve("state"));
        ProcessFolder desktop = folder.desktop("desktop1");
        desktop.create();
        Files.createFile(desktop.configuration());
        new MountMemory(desktop.mounts()).add(WantedMount.at(place));
        hive = new Hive(folder, Map.of());
        assertThat(folder.desktops()).contains(desktop);
    }

    @AfterEach
    void unmount() {
        while (isMounted()) {
            Umount.byForce(place);
        }
        end();
    }

    @Test
    void shouldTakeAwayWhatADeadDaemonHasLeft() {
        mount();
        end();
        mount();
        end();

        stop();

        assertThat(isMounted()).isFalse();
    }

    /** As that of another hive whose daemon is stopped, or busy: it may go on. */
    @Test
    @Timeout(60)
    void shouldLeaveWhatMayBeServed() {
        mount();

        stop();

        assertThat(isMounted()).isTrue();
    }

    @Test
    void shouldLeaveOtherFileSystems() throws Exception {
        assertThat(run("mount", "-t", "tmpfs", "none", place.toString())).isZero();

        stop();

        assertThat(run("umount", place.toString())).isZero();
    }

    /** As where the disk of the state folder is full. */
    @Test
    void shouldUnmountThoughItCannotBeForgotten() throws IOException {
        Files.createDirectories(temporary.resolve("state/desktop1/mounts.json.new/in the way"));
        mount();
        end();

        int exit = Main.commandLine()
                .execute(
                        "umount",
                        place.toString(),
                        "--state",
                        temporary.resolve("state").toString());

        assertThat(exit).isZero();
        assertThat(isMounted()).isFalse();
    }

    private void stop() {
        hive.stop(_ -> {}, _ -> {});
    }

    /** A mount that nobody has agreed to serve: whoever asks it waits. */
    private void mount() {
        try (Arena arena = Arena.ofConfined()) {
            device = Libc.open(arena.allocateFrom("/dev/fuse"), O_RDWR, 0);
            assertThat(device).isPositive();
            int result = Libc.mount(
                    arena.allocateFrom("beefs"),
                    arena.allocateFrom(place.toString()),
                    arena.allocateFrom(MountTable.HIVE_TYPE),
                    0,
                    arena.allocateFrom("fd=" + device + ",rootmode=40000,user_id=0,group_id=0,allow_other"));
            assertThat(result).isZero();
        }
    }

    /** As the kernel does when a daemon dies. */
    private void end() {
        if (device > 0) {
            Libc.close(device);
            device = 0;
        }
    }

    private boolean isMounted() {
        return MountTable.read().isHive(place);
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor();
    }
}
