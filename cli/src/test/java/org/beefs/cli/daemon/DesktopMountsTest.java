package org.beefs.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.mounts.UnservedHive;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.WantedMount;
import org.beefs.common.linux.MountInfo;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.log.LogLines;
import org.beefs.common.request.RequestIds;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.NoMount;
import org.beefs.honeybee.mount.Umount;
import org.beefs.honeybee.trace.Calls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of a daemon's mount, at which somebody has mounted something else. */
class DesktopMountsTest {
    @TempDir
    private Path temporary;

    private Path place;
    private MountMemory memory;
    private DesktopMounts mounts;
    private UnservedHive hive;

    @BeforeEach
    void mount() throws IOException {
        UnservedHive.assumePossible();
        place = Files.createDirectories(temporary.toRealPath().resolve("disk/hive"));
        memory = new MountMemory(temporary.resolve("mounts.json"));
        memory.add(WantedMount.at(place));
        hive = UnservedHive.mount(place);
        PlacedMounts placed = new PlacedMounts();
        placed.put(place, new NoMount(place), MountTable.read());
        mounts = mounts(placed, memory);
    }

    /** They mount nothing. */
    static DesktopMounts mounts(PlacedMounts placed, MountMemory memory) {
        SystemClock clock = new SystemClock();
        return new DesktopMounts(
                placed,
                memory,
                _ -> {
                    throw new IllegalStateException("nothing is to be mounted");
                },
                (_, _, _, _, _) -> "",
                new Calls(new RequestIds(0), clock),
                MountOptions.DEFAULTS,
                clock,
                (_, _) -> () -> {});
    }

    @AfterEach
    void unmount() {
        while (place != null && MountTable.read().at(place).isPresent()) {
            Umount.byForce(place);
        }
        if (hive != null) {
            hive.close();
        }
    }

    @Test
    void shouldLeaveWhatIsMountedOverIt() throws Exception {
        run("mount", "-t", "tmpfs", "none", place.toString());

        assertThatThrownBy(() -> mounts.umount(place))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("something else is mounted over");

        assertThat(seen()).isEqualTo("tmpfs");
        assertThat(memory.at(place)).as("it is still mounted").isPresent();
        run("umount", place.toString());
        assertThat(hive.isSeen()).isTrue();
    }

    /** As when a disk is mounted late, at a folder that the place is in. */
    @Test
    void shouldLeaveWhatIsMountedOverAFolderAboveIt() throws Exception {
        Path above = temporary.toRealPath().resolve("disk");
        run("mount", "-t", "tmpfs", "none", above.toString());
        try {
            assertThatThrownBy(() -> mounts.umount(place))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("something else is mounted over");
            assertThat(memory.at(place)).as("it is still mounted").isPresent();
        } finally {
            run("umount", above.toString());
        }
        assertThat(hive.isSeen()).isTrue();
    }

    @Test
    void shouldLeaveWhatIsMountedWhereItWas() throws Exception {
        hive.use();
        run("umount", "--lazy", "--no-canonicalize", place.toString());
        run("mount", "-t", "tmpfs", "none", place.toString());

        assertThatThrownBy(() -> mounts.umount(place))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("still in use");

        assertThat(seen()).isEqualTo("tmpfs");
        assertThat(memory.at(place)).isEmpty();
    }

    @Test
    void shouldNotFollowASymbolicLinkThatWasPutInTheRememberedPlace() throws IOException {
        memory.remove(place);
        Path elsewhere = Files.createDirectory(temporary.toRealPath().resolve("elsewhere"));
        Path link = Files.createSymbolicLink(temporary.toRealPath().resolve("link"), elsewhere);
        memory.add(WantedMount.at(link.resolve("hive")));

        try (LogLines log = new LogLines(DesktopMounts.class.getName())) {
            mounts.restore(); // fails when it goes on to mount

            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("a symbolic link leads to " + elsewhere.resolve("hive"));
        }
        assertThat(elsewhere).isEmptyDirectory();
    }

    /** Its disk may only be mounted later, over what is made there now. */
    @Test
    void shouldNotMakeTheFolderOfARememberedPlace() throws IOException {
        memory.remove(place);
        Path away = temporary.toRealPath().resolve("away");
        memory.add(WantedMount.at(away.resolve("hive")));

        try (LogLines log = new LogLines(DesktopMounts.class.getName())) {
            mounts.restore(); // fails when it goes on to mount

            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("cannot mount at " + away.resolve("hive") + " again: there is no such folder");
        }
        assertThat(away).doesNotExist();
        assertThat(memory.at(away.resolve("hive"))).as("for the next start").isPresent();
    }

    private String seen() {
        return MountTable.read().at(place).map(MountInfo.Mount::type).orElse("nothing");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
}
