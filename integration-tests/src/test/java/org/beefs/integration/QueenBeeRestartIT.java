package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.hive.Role;
import org.beefs.integration.lock.Locker;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/**
 * Programs go on when the queen-bee is killed and comes back, also when she is killed again while she waits for
 * desktops. Files are open in processes of their own: a process that this one starts would close copies of what it has
 * open, and that waits for the queen-bee.
 */
@InHive
@Requires(programs = "python3")
class QueenBeeRestartIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String IS_BACK = "the queen-bee is back after";
    private static final int STORMY_RESTARTS = 2;

    /** A lock that somebody has and another one waits for. */
    private record Wanted(String kind, String bytes, Locker waiter) {
        /** The locker's command for it. */
        String by(String how, String mode) {
            return "lock %s %s f %s %s".formatted(kind, how, mode, bytes);
        }
    }

    @Test
    void shouldKeepOpenFilesWritten(Hive hive, Mounts mounts) {
        Path file = mounts.local().resolve("written");
        Path there = mounts.otherDesktop().resolve("written");
        try (Locker here = Locker.with(file);
                Locker remote = Locker.start()) {
            remote.ask("open f append " + there);
            here.ask("write f before");

            crashTwice(hive, () -> assertThat(here.ask("write f between")).isEqualTo("done"));

            assertThat(here.ask("write f after")).isEqualTo("done");
            assertThat(here.ask("sync f")).isEqualTo("done");
            assertThat(remote.ask("write f remote")).isEqualTo("done");
            assertThat(remote.ask("sync f")).isEqualTo("done");
            assertThat(here.ask("read f")).isEqualTo("before between after remote");
            assertThat(remote.ask("read f")).isEqualTo("before between after remote");
        }
        assertThat(there).hasContent("before\nbetween\nafter\nremote\n");
    }

    @Test
    void shouldKeepUnlinkedOpenFiles(Hive hive, Mounts mounts) {
        Path file = mounts.local().resolve("unlinked");
        Path there = mounts.otherDesktop().resolve("unlinked");
        try (Locker here = Locker.with(file);
                Locker remote = Locker.with(there)) {
            here.ask("write f before");
            here.ask("remove " + file);

            crashTwice(hive, () -> {});

            assertThat(here.ask("write f after")).isEqualTo("done");
            for (Locker holder : List.of(here, remote)) {
                assertThat(holder.ask("read f")).isEqualTo("before after");
                assertThat(holder.ask("links f")).isEqualTo("0");
            }
            here.ask("close f");
            assertThat(remote.ask("read f")).as("held by the other one").isEqualTo("before after");
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void shouldAppendEachRecordOnceFromTwoDesktops(Hive hive, Mounts mounts) throws IOException {
        Path file = Files.createFile(mounts.local().resolve("appended"));
        Path enough = mounts.scratch().resolve("enough-appended");
        List<RunningProgram> writers = Stream.of(file, mounts.otherDesktop().resolve("appended"))
                .map(path -> appender(path, enough))
                .toList();
        try (RunningProgram one = writers.getFirst();
                RunningProgram another = writers.getLast()) {
            crashInTheMiddleOf(hive, writers);
            Files.createFile(enough);

            one.await(SOON).mustSucceed();
            another.await(SOON).mustSucceed();

            for (RunningProgram writer : writers) {
                int records = writer.outputSoFar().length();
                assertThat(Files.readAllLines(file).stream().filter(record -> record.startsWith(writer.pid() + " ")))
                        .as("what %s was told to have appended", writer)
                        .containsExactlyElementsOf(IntStream.range(0, records)
                                .mapToObj(number -> writer.pid() + " " + number)
                                .toList());
            }
        }
    }

    @Test
    void shouldKeepLocksAndThoseWhoWaitForThem(Hive hive, Mounts mounts) {
        Path file = mounts.local().resolve("locked");
        try (Locker here = Locker.with(file);
                Locker recordWaiter = Locker.with(file);
                Locker ofdWaiter = Locker.with(file);
                Locker flockWaiter = Locker.with(file);
                Locker remote = Locker.with(mounts.otherDesktop().resolve("locked"))) {
            List<Wanted> locks = List.of(
                    new Wanted("record", "0 10", recordWaiter),
                    new Wanted("ofd", "20 10", ofdWaiter),
                    new Wanted("flock", "0 0", flockWaiter));
            for (Wanted lock : locks) {
                assertThat(here.ask(lock.by("try", "exclusive"))).isEqualTo("done");
                lock.waiter().begin(lock.by("wait", "exclusive"));
                lock.waiter().awaitWaiting();
            }

            crashTwice(
                    hive,
                    () -> assertThat(locks).noneMatch(lock -> lock.waiter().isAnswered()));

            for (Wanted lock : locks) {
                assertThat(remote.ask(lock.by("try", "shared"))).isEqualTo("EAGAIN");
                assertThat(lock.waiter().isAnswered()).isFalse();
                here.ask(lock.by("try", "unlocked"));
                assertThat(lock.waiter().answer()).isEqualTo("done");
                assertThat(remote.ask(lock.by("try", "shared"))).isEqualTo("EAGAIN");
                lock.waiter().ask(lock.by("try", "unlocked"));
                assertThat(remote.ask(lock.by("try", "exclusive"))).isEqualTo("done");
            }
        }
    }

    @Test
    void shouldCarryOutEachChangeOnce(Hive hive, Mounts mounts) throws IOException {
        Path directory = Files.createDirectory(mounts.local().resolve("storm"));
        Path enough = mounts.scratch().resolve("enough-storm");
        Path script = Locker.resource("storm.py", mounts.scratch());
        try (RunningProgram storm = Program.of("python3", script.toString(), directory.toString(), enough.toString())
                .start()) {
            for (int i = 0; i < STORMY_RESTARTS; i++) {
                crashInTheMiddleOf(hive, List.of(storm));
            }
            Files.createFile(enough);

            List<String> told =
                    storm.await(SOON).mustSucceed().output().lines().skip(1).toList();

            assertThat(told).isNotEmpty();
            assertThat(list(mounts.otherDesktop().resolve("storm"))).containsExactlyInAnyOrderElementsOf(told);
        }
    }

    @Test
    void shouldGoOnWithAListing(Hive hive, Mounts mounts) {
        String name = "long-name-" + "x".repeat(200) + "-";
        Path directory = mounts.local().resolve("listed");
        Program.shell("mkdir $DIR && cd $DIR && seq -f \"$NAME%.0f\" 1000 | xargs mkfifo")
                .with("DIR", directory.toString())
                .with("NAME", name)
                .run();
        try (Locker lister = Locker.start();
                Locker remote = Locker.start()) {
            String first = lister.ask("begin-listing one " + directory);
            String remoteFirst =
                    remote.ask("begin-listing one " + mounts.otherDesktop().resolve("listed"));

            crashTwice(hive, () -> {});

            List<String> all =
                    IntStream.rangeClosed(1, 1000).mapToObj(i -> name + i).toList();
            assertThat(List.of((first + " " + lister.ask("end-listing one")).split(" ", -1)))
                    .containsExactlyInAnyOrderElementsOf(all);
            assertThat(List.of((remoteFirst + " " + remote.ask("end-listing one")).split(" ", -1)))
                    .containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void shouldLetTheOnlyMountWaitAndGoOn(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        Role queenBee = hive.queenBee();
        Object device = Files.getAttribute(hive.mount(), "unix:dev");
        try (Locker here = Locker.with(hive.mount().resolve("file"))) {
            here.ask("write f before");
            queenBee.kill();
            here.begin("mkdir " + hive.mount().resolve("made"));
            here.awaitWaiting();

            queenBee.restart();

            assertThat(here.answer()).isEqualTo("done");
            assertThat(here.ask("write f after")).isEqualTo("done");
            assertThat(here.ask("read f")).isEqualTo("before after");
        }
        assertThat(Files.getAttribute(hive.mount(), "unix:dev")).isEqualTo(device);
        assertThat(hive.mount().resolve("made")).isDirectory();
    }

    /** The second time while she waits for a desktop that stands still. */
    private static void crashTwice(Hive hive, Runnable between) {
        Role queenBee = hive.queenBee();
        Role late = hive.desktop(2);
        late.stop();
        try {
            crash(queenBee, hive.desktop(1));
            between.run();
            crash(queenBee, hive.desktop(1));
        } finally {
            late.resume();
        }
    }

    /** Kills her, and returns when the desktop knows that she is back. */
    private static void crash(Role queenBee, Role desktop) {
        int before = returns(desktop);
        queenBee.kill();
        queenBee.restart();
        Await.until(SOON, desktop.name() + " is registered", () -> returns(desktop) > before);
    }

    private static int returns(Role desktop) {
        return desktop.log().split(IS_BACK, -1).length - 1;
    }

    private static void crashInTheMiddleOf(Hive hive, List<RunningProgram> programs) {
        awaitProgress(programs);
        crash(hive.queenBee(), hive.desktop(1));
        awaitProgress(programs);
    }

    private static void awaitProgress(List<RunningProgram> programs) {
        for (RunningProgram program : programs) {
            int before = program.outputSoFar().length();
            Await.until(
                    SOON,
                    () -> "the program goes on: " + program.errorsSoFar(),
                    () -> program.outputSoFar().length() > before);
        }
    }

    /** Appends its number and 0, 1, 2 … through one descriptor, syncs each, and prints a point for it. */
    private static RunningProgram appender(Path file, Path enough) {
        return Program.of("python3", "-c", """
                import os, sys
                f = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
                number = 0
                while not os.path.exists(sys.argv[2]):
                    os.write(f, b'%d %d\\n' % (os.getpid(), number))
                    os.fsync(f)
                    os.write(1, b'.')
                    number += 1
                """, file.toString(), enough.toString())
                .start();
    }

    private static List<String> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }
}
