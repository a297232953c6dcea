package org.beefs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.beefs.cli.Main;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.mounts.UnservedHive;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is mounted where desktops of a hive that is stopped remember mounts. */
class LeftMountsTest {
    @TempDir
    private Path temporary;

    private Path place;
    private Hive hive;

    private final List<UnservedHive> hives = new ArrayList<>();

    @BeforeEach
    void rememberAMount() throws IOException {
        UnservedHive.assumePossible();
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
    void unmount() throws Exception {
        hives.forEach(UnservedHive::close);
        run("umount", place.toString());
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

    private void mount() {
        hives.add(UnservedHive.mount(place));
    }

    private void end() {
        hives.getLast().end();
    }

    private boolean isMounted() {
        return MountTable.read().isHive(place);
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor();
    }
}
