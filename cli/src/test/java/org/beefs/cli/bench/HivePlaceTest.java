package org.beefs.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.mount.Driver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mount whose caches are dropped. Its daemon only notes what it is told. */
@Timeout(60)
class HivePlaceTest {
    private static final WantedMount MOUNT = new WantedMount("/mnt/hive", true, false, Driver.JNR);

    @TempDir
    private Path temporary;

    @AutoClose
    private FakeHive hive;

    private FakeDaemon daemon;
    private HivePlace place;

    @BeforeEach
    void listen() throws IOException {
        ProcessFolder desktop = new HiveFolder(temporary).desktop("desktop1");
        hive = new FakeHive(temporary);
        daemon = hive.desktop("desktop1");
        Path caches = Files.createFile(temporary.resolve("drop_caches"));
        place = new HivePlace(Path.of("/mnt/hive/x"), desktop, MOUNT, List.of(desktop), new KernelCaches(caches));
    }

    @Test
    void shouldMountAsItWas() throws Exception {
        place.dropCaches();

        assertThat(daemon.calls()).containsExactly("umount /mnt/hive", "mount " + MOUNT);
    }

    /** By Ctrl-C. */
    @Test
    void shouldMountAgainAlthoughItIsInterrupted() {
        Thread working = Thread.currentThread();
        daemon.whenTold("umount /mnt/hive", working::interrupt);

        assertThatThrownBy(place::dropCaches).isInstanceOf(InterruptedException.class);

        assertThat(daemon.calls()).containsExactly("umount /mnt/hive", "mount " + MOUNT);
    }

    @Test
    void shouldSayHowToMountByHand() {
        daemon.whenTold("umount /mnt/hive", () -> daemon.refuse(new CommandFailure(ExitCode.FAILED, "no memory")));

        assertThatThrownBy(place::dropCaches)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("no memory")
                .hasMessageEndingWith(
                        "beefs mount --read-only --driver jnr /mnt/hive --desktop desktop1 --state " + temporary);
    }

    @Test
    void shouldSayThatTheMountIsInUse() {
        daemon.whenTold("umount /mnt/hive", () -> {
            throw new CommandFailure(ExitCode.FAILED, "it is in use");
        });

        assertThatThrownBy(place::dropCaches).isInstanceOf(CommandFailure.class).hasMessage("it is in use");

        assertThat(daemon.calls()).as("it may be unmounted all the same").contains("mount " + MOUNT);
    }
}
