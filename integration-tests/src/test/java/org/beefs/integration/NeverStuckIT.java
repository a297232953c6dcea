package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Processes;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever process is stopped or dead, programs that use the mount can be killed, and the mount can be taken away. */
@InHive
class NeverStuckIT {
    private static final Duration DEATH = Duration.ofSeconds(10);

    /** With time for a shell and a JVM to start on a busy machine. */
    private static final Duration UNMOUNT = Duration.ofSeconds(15);

    enum Fault {
        STOPPED,
        KILLED
    }

    @ParameterizedTest(name = "{1} {0}")
    @CsvSource({
        "queenbee, STOPPED",
        "queenbee, KILLED",
        "desktop1, STOPPED",
        "desktop1, KILLED",
        "desktop2, STOPPED",
        "desktop2, KILLED"
    })
    void shouldLetProgramsBeKilledAndMountsBeTakenAway(String name, Fault fault, Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path here = hive.mount();
        Path second = hive.mountOn("desktop1");
        Path third = hive.mountOn("desktop1");
        Files.write(hive.mountOn("desktop2").resolve("remote"), new byte[1 << 20]);
        Files.write(here.resolve("local"), new byte[1 << 20]);

        harm(hive.role(name), fault);

        if (name.equals("queenbee")) {
            assertThat(Program.of("cat", here + "/.beefs/stats").run().output())
                    .contains("on desktop1, mounted at " + here);
        }
        for (List<String> command : commands(here, hive.scratch())) {
            assertThatItCanBeKilled(command);
        }
        unmount(umount(name, fault, second), second);
        unmount(hive.beefs("umount", third.toString()), third);
    }

    /** The reader's kernel waits for the content, and her daemon is to make that kernel drop it meanwhile. */
    @Test
    void shouldEndWhenKilledWhilePagesThatAreBeingReadAreToGo(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Files.write(hive.mount().resolve("file"), new byte[16 << 20]);
        Path readers = hive.mountOn("desktop2");
        Path writers = hive.mountOn("desktop3");
        Path file = readers.resolve("file");
        Await.until(Duration.ofSeconds(30), file + " is kept", () -> isKept(hive, readers, file));

        hive.desktop(1).stop();
        try (RunningProgram reader =
                Program.of("tail", "-c", "1", file.toString()).start()) {
            Await.until(DEATH, "tail waits for content", () -> isWaiting(reader));
            Program.of("sh", "-c", "exec 3<>\"$0\"", writers.resolve("file").toString())
                    .run();
            hive.desktop(2).kill();

            assertThat(reader.endsWithin(DEATH)).isTrue();
        }
    }

    /** Whether its beginning, which is all that is read here, is read from pages. */
    private static boolean isKept(Hive hive, Path mount, Path file) {
        Program first = Program.of("head", "-c", "1", file.toString());
        first.run();
        long before = hive.requests(mount).of("READ");
        first.run();
        return hive.requests(mount).of("READ") == before;
    }

    private static void harm(Role role, Fault fault) {
        if (fault == Fault.STOPPED) {
            role.stop();
        } else {
            role.kill();
        }
    }

    private static List<List<String>> commands(Path mount, Path scratch) {
        String local = mount.resolve("local").toString();
        String remote = mount.resolve("remote").toString();
        return List.of(
                List.of("stat", local),
                List.of("stat", remote),
                List.of("cat", local),
                List.of("cat", remote),
                List.of("cp", remote, scratch.toString()),
                List.of("cp", local, mount.resolve("copy").toString()));
    }

    private static void assertThatItCanBeKilled(List<String> command) {
        try (RunningProgram program = Program.of(command).start()) {
            Await.until(
                    Duration.ofSeconds(10),
                    () -> command + " waits or has ended: " + Processes.describe(program.pid()),
                    () -> !program.isRunning() || isWaiting(program));
            program.signal(Posix.SIGKILL);
            assertThat(program.endsWithin(DEATH))
                    .as("%s ends after SIGKILL (%s)", command, Processes.describe(program.pid()))
                    .isTrue();
        }
    }

    /** For an answer to a request, or for a page that is being read. */
    private static boolean isWaiting(RunningProgram program) {
        String where = Processes.describe(program.pid());
        return where.contains("request_wait") || where.contains("folio_wait");
    }

    /**
     * umount(8) begins with a stat, which only the mount's own daemon can answer. A program that the kernel lets wait
     * for a stopped daemon is not ours to help; {@code -f} and {@code -l} do without, and so does {@code beefs umount}.
     */
    private static Program umount(String name, Fault fault, Path mount) {
        boolean ownDaemonIsStopped = name.equals("desktop1") && fault == Fault.STOPPED;
        return ownDaemonIsStopped
                ? Program.of("umount", "-f", mount.toString())
                : Program.of("umount", mount.toString());
    }

    private static void unmount(Program program, Path mount) {
        program.within(UNMOUNT).run();
        assertThat(MountPoints.isMounted(mount)).isFalse();
    }
}
