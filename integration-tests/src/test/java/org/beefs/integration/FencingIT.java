package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** Programs that write past the daemon are stopped when it has lost the right to write, and no byte is lost by it. */
@InHive
@Requires(programs = {"python3", "chattr", "lsattr"})
class FencingIT {
    private static final Duration SOON = Duration.ofSeconds(45);

    /** Fenced after 4 s of silence; the others are what fits. */
    private static final String SHORT_LEASE = """
            lease = "7s"
            fence-margin = "3s"
            heartbeat = "400ms"
            """;

    /**
     * A descriptor of "file" and a mapping of "mapped", of which no descriptor is left: a child could not close that
     * while the daemon is stopped. What writes() and stores() were told to have done is counted; a store that the
     * kernel refuses kills a child.
     */
    private static final String WRITER = """
            import ctypes, os, sys, time
            mount, scratch = os.environ['MOUNT'], os.environ['SCRATCH'] + '/'
            f = os.open(mount + '/file', os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            g = os.open(mount + '/mapped', os.O_RDWR | os.O_CREAT, 0o644)
            os.ftruncate(g, 4096)
            mmap = ctypes.CDLL(None).mmap
            mmap.restype = ctypes.c_void_p
            m = (ctypes.c_ubyte * 4096).from_address(mmap(None, ctypes.c_size_t(4096), 3, 1, g, ctypes.c_long(0)))
            os.close(g)
            written = stored = 0
            def writes():
                global written
                try:
                    written += os.write(f, b'x')
                    return True
                except PermissionError:
                    return False
            def stores():
                global stored
                child = os.fork()
                if child == 0:
                    m[0] = stored + 1
                    os._exit(0)
                if os.waitpid(child, 0)[1] != 0:
                    return False
                stored += 1
                return True
            def until(wanted):
                for what in writes, stores:
                    while what() != wanted: time.sleep(0.02)
            def wait(name):
                with open(scratch + name + '.tmp', 'w') as report: report.write('%d %d' % (written, stored))
                os.rename(scratch + name + '.tmp', scratch + name + '.reached')
                while not os.path.exists(scratch + name): time.sleep(0.01)
            """;

    /** What the program was told to have written, and to have stored last. */
    private record Told(int written, int stored) {}

    @Test
    void shouldStopWritersWhileTheQueenBeeIsAwayAndLetThemGoOnThen(Hives hives) throws IOException {
        Hive hive = withShortLease(hives.create(1));
        try (RunningProgram program = writer(hive, """
                until(True)
                wait('away')
                until(False)
                wait('back')
                until(True)
                wait('written')
                """)) {
            reached(hive, "away");
            hive.queenBee().stop();
            try {
                letGo(hive, "away");
                Told told = reached(hive, "back");
                assertContents(hive.desktop(1), told);
                assertThat(immutableFiles(hive)).hasSize(2);
            } finally {
                hive.queenBee().resume();
            }
            letGo(hive, "back");

            Told told = reached(hive, "written");
            assertThat(immutableFiles(hive)).isEmpty();
            assertContents(hive.mount(), told);
            letGo(hive, "written");
            program.await(SOON).mustSucceed();
        }
    }

    @Test
    void shouldStopWritersFirstWhenItWakesUpAfterItsLease(Hives hives) throws IOException {
        Hive hive = withShortLease(hives.create(1));
        try (RunningProgram program = writer(hive, """
                until(True)
                wait('asleep')
                until(True)
                wait('awake')
                until(True)
                wait('written')
                """)) {
            reached(hive, "asleep");
            Role desktop = hive.desktop(1);
            desktop.stop();
            try {
                awaitLog(hive.queenBee(), "silent for longer than its lease");
                letGo(hive, "asleep");
                reached(hive, "awake");
            } finally {
                desktop.resume();
            }
            awaitLog(desktop, "2 files are closed to the programs that write them");
            awaitLog(desktop, "2 files can be written again");
            letGo(hive, "awake");

            assertContents(hive.mount(), reached(hive, "written"));
            letGo(hive, "written");
            program.await(SOON).mustSucceed();
        }
    }

    @Test
    void shouldGoOnWithCopiesWhenTheDaemonHasDied(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        try (RunningProgram program = writer(hive, """
                until(True)
                wait('dead')
                until(True)
                wait('fenced')
                until(False)
                wait('end')
                """)) {
            reached(hive, "dead");
            hive.desktop(1).kill();
            letGo(hive, "dead");
            Told told = reached(hive, "fenced");
            hive.up();
            letGo(hive, "fenced");

            assertThat(reached(hive, "end")).isEqualTo(told);
            assertContents(hive.mount(), told);
            Files.writeString(hive.mount().resolve("file"), "x", StandardOpenOption.APPEND);
            assertContents(hive.mount(), new Told(told.written() + 1, told.stored()));
            assertThat(hive.beefs("status").run().output()).contains("2 files fenced");
            letGo(hive, "end");
            program.await(SOON).mustSucceed();
        }
        Await.until(
                SOON,
                "nothing is left of the fenced files",
                () -> immutableFiles(hive).isEmpty());
    }

    @Test
    void shouldFinishACopyThatASecondCrashHasInterrupted(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        try (RunningProgram program = writer(hive, """
                os.posix_fallocate(f, 0, 300 << 20)
                for i in range(300): os.pwrite(f, b'y' * (1 << 20), i << 20)
                wait('dead')
                until(False)
                wait('end')
                """)) {
            reached(hive, "dead");
            Role desktop = hive.desktop(1);
            desktop.kill();
            desktop.restart();
            Path uncopied = desktop.folder().resolve("honeycomb/fenced/uncopied");
            Await.until(
                    SOON, "the copy has begun", () -> list(uncopied).stream().anyMatch(file -> file.endsWith("copy")));
            desktop.kill();
            hive.up();
            letGo(hive, "dead");
            Told told = reached(hive, "end");

            Path file = hive.mount().resolve("file");
            assertThat(Posix.stat(file).size()).isEqualTo((600L << 20) + told.written());
            Program.shell("tail -c +314572801 " + file + " | tr -d 'xy' | wc -c | grep -qx 0")
                    .run();
            letGo(hive, "end");
            program.await(SOON).mustSucceed();
        }
    }

    /**
     * The folder is put into the state in which a desktop finds it whose file was moved to another while it was away.
     */
    @Test
    void shouldKeepChangesOfAFileThatHasMovedOnAsAConflictCopy(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Path folder = Files.createDirectory(hive.mount().resolve("folder"));
        Path file = Files.writeString(folder.resolve("report.txt"), "changes");
        Posix.chmod(file, 0640);
        Posix.lchown(file, 1000, 1001);
        FileStatus original = Posix.stat(file);
        hive.down();
        Path replica = replica(hive, original.inode());
        ReplicaDescription says = ReplicaDescription.parseFrom(Xattrs.get(replica, "user.beefs.replica"));
        Xattrs.set(
                replica,
                "user.beefs.replica",
                says.toBuilder()
                        .setEpoch(says.getEpoch() - 1)
                        .clearVersion()
                        .build()
                        .toByteArray());
        Program.of(
                        "rm",
                        "-rf",
                        hive.desktop(1).folder().resolve("honeycomb/catalog").toString())
                .run();

        hive.up();

        Await.until(
                SOON, "the conflict copy has its name", () -> !conflicts(folder).isEmpty());
        Path copy = conflicts(folder).getFirst();
        assertThat(copy.getFileName().toString()).matches("report\\.txt\\.conflict-desktop1-\\d{8}-\\d{6}");
        assertThat(copy).hasContent("changes");
        FileStatus status = Posix.stat(copy);
        assertThat(List.of(status.permissions(), status.owner(), status.group()))
                .isEqualTo(List.of(0640, 1000, 1001));
        assertThat(status.modified()).isEqualTo(original.modified());
        assertThat(conflicts(folder)).hasSize(1);
    }

    private static List<Path> conflicts(Path folder) {
        return list(folder).stream()
                .filter(path -> path.toString().contains(".conflict-"))
                .toList();
    }

    private static Hive withShortLease(Hive hive) {
        hive.queenBee().restartWith(settings -> settings + SHORT_LEASE);
        awaitLog(hive.desktop(1), "the queen-bee is back after");
        return hive;
    }

    private static RunningProgram writer(Hive hive, String script) {
        return Program.of("python3", "-c", WRITER + script)
                .with("MOUNT", hive.mount().toString())
                .with("SCRATCH", hive.scratch().toString())
                .start();
    }

    private static Told reached(Hive hive, String point) throws IOException {
        Path mark = hive.scratch().resolve(point + ".reached");
        Await.until(SOON, "the program reaches " + point, () -> Files.exists(mark));
        String[] told = Files.readString(mark).split(" ", 2);
        return new Told(Integer.parseInt(told[0]), Integer.parseInt(told[1]));
    }

    private static void letGo(Hive hive, String point) throws IOException {
        Files.createFile(hive.scratch().resolve(point));
    }

    private static void awaitLog(Role role, String text) {
        Await.until(SOON, role.name() + " says: " + text, () -> role.log().contains(text));
    }

    private static void assertContents(Path mount, Told told) {
        assertThat(mount.resolve("file")).hasContent("x".repeat(told.written()));
        assertThat(mount.resolve("mapped"))
                .satisfies(mapped -> assertThat(Files.readAllBytes(mapped)[0]).isEqualTo((byte) told.stored()));
    }

    /** Of a desktop whose mount has to wait: in its honeycomb. */
    private static void assertContents(Role desktop, Told told) {
        List<Path> replicas = list(desktop.folder().resolve("honeycomb/replicas")).stream()
                .filter(Files::isRegularFile)
                .toList();
        assertThat(replicas).anySatisfy(file -> assertThat(file).hasContent("x".repeat(told.written())));
        assertThat(replicas).anySatisfy(mapped -> {
            assertThat(mapped).hasSize(4096);
            assertThat(Files.readAllBytes(mapped)[0]).isEqualTo((byte) told.stored());
        });
    }

    private static List<String> immutableFiles(Hive hive) {
        return Program.shell("lsattr -R " + hive.desktop(1).folder().resolve("honeycomb")
                        + " 2>/dev/null | grep -E '^[^ ]*i[^ ]* ' || true")
                .run()
                .output()
                .lines()
                .toList();
    }

    private static Path replica(Hive hive, long inode) {
        String name = "%016x.00000000".formatted(inode);
        return list(hive.desktop(1).folder().resolve("honeycomb/replicas")).stream()
                .filter(path -> path.endsWith(name))
                .findAny()
                .orElseThrow();
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList();
        } catch (IOException | UncheckedIOException changing) {
            return List.of();
        }
    }
}
