package org.beefs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.CommandRun;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.mounts.UnservedHive;
import org.beefs.cli.process.FakeHive;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unmounting where desktops remember a mount. What is mounted there is of another hive, whose daemon says nothing. */
@Timeout(60)
class UmountCommandTest {
    @TempDir
    private Path temporary;

    @AutoClose
    private FakeHive hive;

    private final CommandRun command = new CommandRun();
    private Path place;
    private HiveFolder folder;
    private @Nullable UnservedHive other;

    @BeforeEach
    void makeFolder() throws IOException {
        place = Files.createDirectory(temporary.toRealPath().resolve("hive"));
        folder = new HiveFolder(temporary.resolve("state"));
        hive = new FakeHive(folder.path());
    }

    @AfterEach
    void end() {
        if (other != null) {
            other.close();
        }
    }

    @Test
    void shouldAskTheDesktopsThatLive() throws IOException {
        ProcessFolder stopped = stopped("desktop1");
        FakeDaemon living = living("desktop2");

        assertThat(umount()).isZero();

        assertThat(living.calls()).containsExactly("umount " + place);
        assertThat(new MountMemory(stopped.mounts()).list()).isEmpty();
    }

    @Test
    void shouldAskTheOthersWhereOneRefuses() throws IOException {
        living("desktop1").refuse(new CommandFailure(ExitCode.FAILED, "it is in use"));
        FakeDaemon second = living("desktop2");

        assertThat(umount()).isEqualTo(ExitCode.FAILED);

        assertThat(command.err()).isEqualTo("beefs: it is in use\n");
        assertThat(second.calls()).containsExactly("umount " + place);
    }

    @Test
    void shouldNotCutOffWhoUsesAnotherHive() throws IOException {
        stopped("desktop1");
        mountAnother().use();

        assertThat(umount()).isEqualTo(ExitCode.FAILED);

        assertThat(command.err()).contains("is in use");
        assertThat(isMounted()).isTrue();
    }

    @Test
    void shouldUnmountAnotherHiveThatNobodyUses() throws IOException {
        ProcessFolder stopped = stopped("desktop1");
        mountAnother();

        assertThat(umount()).isZero();

        assertThat(isMounted()).isFalse();
        assertThat(new MountMemory(stopped.mounts()).list()).isEmpty();
    }

    /** As where the daemon's own mount was taken away by umount(8) before. */
    @Test
    void shouldSayThatAnotherHiveIsStillMountedThere() throws IOException {
        living("desktop1");
        mountAnother();

        assertThat(umount()).isEqualTo(ExitCode.FAILED);

        assertThat(command.err()).contains("another hive is mounted at " + place);
        assertThat(isMounted()).isTrue();
    }

    @Test
    void shouldCutOffWhoUsesTheMountWhenToldTo() throws IOException {
        stopped("desktop1");
        mountAnother().use();

        assertThat(umount("--lazy")).isZero();

        assertThat(isMounted()).isFalse();
    }

    @Test
    void shouldTakeTheMountFromADaemonThatDoesNotAnswer() throws IOException {
        ProcessFolder silent = stopped("desktop1");
        FakeHive.showAsLiving(silent);
        mountAnother().use();

        assertThat(umount()).isZero();

        assertThat(isMounted()).isFalse();
        assertThat(new MountMemory(silent.mounts()).list()).isEmpty();
    }

    private UnservedHive mountAnother() {
        UnservedHive.assumePossible();
        other = UnservedHive.mount(place);
        return other;
    }

    private boolean isMounted() {
        return other != null && other.isSeen();
    }

    private ProcessFolder stopped(String name) throws IOException {
        ProcessFolder desktop = folder.desktop(name);
        desktop.create();
        Files.createFile(desktop.configuration());
        new MountMemory(desktop.mounts()).add(WantedMount.at(place));
        return desktop;
    }

    private FakeDaemon living(String name) throws IOException {
        stopped(name);
        return hive.desktop(name);
    }

    private int umount(String... options) {
        List<String> words = new ArrayList<>(List.of("umount", place.toString()));
        words.addAll(List.of(options));
        return command.runIn(folder.path(), words.toArray(String[]::new));
    }
}
