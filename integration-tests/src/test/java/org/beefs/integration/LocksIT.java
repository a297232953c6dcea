package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.lock.Locker;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of fcntl(2) and flock(2), between programs on several mounts and desktops. */
@InHive
@Requires(programs = {"python3", "gcc"})
class LocksIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** Where the other program is. */
    enum Other {
        ON_THE_SAME_MOUNT,
        ON_THE_SAME_DESKTOP,
        ON_ANOTHER_DESKTOP;

        Path in(Mounts mounts, String file) {
            Path mount = switch (this) {
                case ON_THE_SAME_MOUNT -> mounts.local();
                case ON_THE_SAME_DESKTOP -> mounts.sameDesktop();
                case ON_ANOTHER_DESKTOP -> mounts.otherDesktop();
            };
            return mount.resolve(file);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepRecordsApart(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("records"));
                Locker there = Locker.with(other.in(mounts, "records"))) {
            assertThat(here.ask("lock record try f exclusive 0 10")).isEqualTo("done");
            assertThat(there.ask("lock record try f shared 9 1")).isEqualTo("EAGAIN");
            assertThat(there.ask("lock record try f exclusive 10 10")).isEqualTo("done");
            assertThat(here.ask("lock record try f exclusive 0 11")).isEqualTo("EAGAIN");

            assertThat(here.ask("lock record try f unlocked 4 2")).isEqualTo("done");

            assertThat(there.ask("lock record try f exclusive 4 2")).isEqualTo("done");
            assertThat(there.ask("lock record try f exclusive 3 1")).isEqualTo("EAGAIN");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldUpgradeAndDowngrade(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("grades"));
                Locker there = Locker.with(other.in(mounts, "grades"))) {
            here.ask("lock record try f shared 0 10");
            there.ask("lock record try f shared 0 10");
            assertThat(here.ask("lock record try f exclusive 0 10")).isEqualTo("EAGAIN");
            there.ask("lock record try f unlocked 0 10");
            assertThat(here.ask("lock record try f exclusive 0 10")).isEqualTo("done");
            assertThat(there.ask("lock record try f shared 0 10")).isEqualTo("EAGAIN");

            here.ask("lock record try f shared 0 10");

            assertThat(there.ask("lock record try f shared 0 10")).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLockToTheEndWhereverThatIs(Other other, Mounts mounts) throws IOException {
        Path file = mounts.local().resolve("end");
        try (Locker here = Locker.with(file);
                Locker there = Locker.with(other.in(mounts, "end"))) {
            here.ask("lock record try f exclusive 100 0");
            Files.write(file, new byte[1000]);

            assertThat(there.ask("lock record try f shared 999 1")).isEqualTo("EAGAIN");
            assertThat(there.ask("lock record try f shared 0 100")).isEqualTo("done");
            assertThat(there.ask("lock record get f exclusive 0 0")).startsWith("exclusive 100 0 ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheProcessInTheWayWhenItIsOnThisDesktop(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("who"));
                Locker there = Locker.with(other.in(mounts, "who"))) {
            here.ask("lock record try f shared 5 5");
            long known = other == Other.ON_ANOTHER_DESKTOP ? 0 : here.pid();

            assertThat(there.ask("lock record get f exclusive 0 0")).isEqualTo("shared 5 5 " + known);
            assertThat(there.ask("lock record get f shared 0 0")).isEqualTo("free");
            assertThat(here.ask("lock record get f exclusive 0 0")).isEqualTo("free");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHandOverToWhoeverWaits(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("wait"));
                Locker there = Locker.with(other.in(mounts, "wait"))) {
            for (String kind : List.of("record", "ofd", "flock")) {
                here.ask("lock " + kind + " try f exclusive");
                there.begin("lock " + kind + " wait f exclusive");
                there.awaitWaiting();

                here.ask("lock " + kind + " try f unlocked");

                assertThat(there.answer()).isEqualTo("done");
                assertThat(here.ask("lock " + kind + " try f shared")).isEqualTo("EAGAIN");
                there.ask("lock " + kind + " try f unlocked");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToWaitForEver(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("deadlock"));
                Locker there = Locker.with(other.in(mounts, "deadlock"))) {
            here.ask("lock record try f exclusive 0 1");
            there.ask("lock record try f exclusive 1 1");
            there.begin("lock record wait f exclusive 0 1");
            here.begin("lock record wait f exclusive 1 1");

            Locker refused = firstToHear(here, there);
            assertThat(refused.answer()).isEqualTo("EDEADLK");

            refused.ask("close f");
            assertThat(theOther(refused, here, there).answer()).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseTheSecondUpgradeOfTwo(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("upgrades"));
                Locker there = Locker.with(other.in(mounts, "upgrades"))) {
            here.ask("lock record try f shared");
            there.ask("lock record try f shared");
            there.begin("lock record wait f exclusive");
            here.begin("lock record wait f exclusive");

            Locker refused = firstToHear(here, there);
            assertThat(refused.answer()).isEqualTo("EDEADLK");

            refused.ask("close f");
            assertThat(theOther(refused, here, there).answer()).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLockOpenFiles(Other other, Mounts mounts) {
        Path file = mounts.local().resolve("open");
        try (Locker here = Locker.with(file);
                Locker there = Locker.with(other.in(mounts, "open"))) {
            for (String kind : List.of("ofd", "flock")) {
                here.ask("lock " + kind + " try f exclusive");
                assertThat(there.ask("lock " + kind + " try f shared")).isEqualTo("EAGAIN");
                here.ask("open second write " + file);
                assertThat(here.ask("lock " + kind + " try second shared"))
                        .as("another open file of the same process")
                        .isEqualTo("EAGAIN");
                here.ask("dup f copy");
                assertThat(here.ask("lock " + kind + " try copy exclusive"))
                        .as("the same open file")
                        .isEqualTo("done");
                here.ask("close second");
                here.ask("close f");
                assertThat(there.ask("lock " + kind + " try f shared"))
                        .as("while it is still open")
                        .isEqualTo("EAGAIN");

                here.ask("close copy");

                assertThat(there.ask("lock " + kind + " wait f exclusive")).isEqualTo("done");
                there.ask("lock " + kind + " try f unlocked");
                here.ask("open f write " + file);
            }
            here.ask("lock record try f exclusive");
            assertThat(there.ask("lock flock try f exclusive"))
                    .as("of another kind")
                    .isEqualTo("done");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetTwoWhoShareAFlockBothHaveItInTurn(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("turns"));
                Locker there = Locker.with(other.in(mounts, "turns"))) {
            here.ask("lock flock try f shared");
            there.ask("lock flock try f shared");
            there.begin("lock flock wait f exclusive");
            here.begin("lock flock wait f exclusive");

            Locker first = firstToHear(here, there);
            assertThat(first.answer()).isEqualTo("done");

            first.ask("lock flock try f unlocked");
            assertThat(theOther(first, here, there).answer()).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldUnlockRecordsWhenAnyDescriptorIsClosed(Other other, Mounts mounts) {
        Path file = mounts.local().resolve("closed");
        try (Locker here = Locker.with(file);
                Locker there = Locker.with(other.in(mounts, "closed"))) {
            here.ask("lock record try f exclusive");
            here.ask("open second read " + file);
            here.ask("close second");
            assertThat(there.ask("lock record try f shared")).isEqualTo("done");
            there.ask("lock record try f unlocked");

            here.ask("lock record try f exclusive");
            here.ask("dup f copy");
            here.ask("close copy");
            assertThat(there.ask("lock record try f shared")).isEqualTo("done");
            there.ask("lock record try f unlocked");

            here.ask("lock record try f exclusive");
            here.ask("fork");
            here.ask("close f");
            assertThat(there.ask("lock record try f shared"))
                    .as("a child has it open, and no lock")
                    .isEqualTo("done");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldUnlockWhenAProgramEnds(Other other, Mounts mounts) {
        Path file = mounts.local().resolve("ended");
        try (Locker there = Locker.with(other.in(mounts, "ended"))) {
            for (String kind : List.of("record", "ofd", "flock")) {
                try (Locker here = Locker.with(file)) {
                    here.ask("lock " + kind + " try f exclusive");
                    there.begin("lock " + kind + " wait f exclusive");
                    there.awaitWaiting();
                    here.end();
                    assertThat(there.answer()).isEqualTo("done");
                    there.ask("lock " + kind + " try f unlocked");
                }
                try (Locker here = Locker.with(file)) {
                    here.ask("lock " + kind + " try f exclusive");
                    there.begin("lock " + kind + " wait f exclusive");
                    there.awaitWaiting();
                    here.kill();
                    assertThat(there.answer()).isEqualTo("done");
                    there.ask("lock " + kind + " try f unlocked");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetAnySignalEndWaiting(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("signals"));
                Locker there = Locker.with(other.in(mounts, "signals"))) {
            for (String kind : List.of("record", "ofd", "flock")) {
                here.ask("lock " + kind + " try f exclusive");
                for (int signal : new int[] {Posix.SIGINT, Posix.SIGALRM}) {
                    there.begin("lock " + kind + " wait f exclusive");
                    there.awaitWaiting();
                    there.signal(signal);
                    assertThat(there.answer()).isEqualTo("EINTR");
                }
                here.ask("lock " + kind + " try f unlocked");
                assertThat(here.ask("lock " + kind + " try f exclusive"))
                        .as("nobody waits any more")
                        .isEqualTo("done");
                here.ask("lock " + kind + " try f unlocked");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldForgetAWaiterThatIsKilled(Other other, Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("killed"))) {
            here.ask("lock flock try f exclusive");
            try (Locker there = Locker.with(other.in(mounts, "killed"))) {
                there.begin("lock flock wait f exclusive");
                there.awaitWaiting();
                there.kill();
            }
            here.ask("lock flock try f unlocked");
            assertThat(here.ask("lock flock wait f exclusive")).isEqualTo("done");
        }
    }

    @Test
    void shouldUnlockWhenAMountOrADesktopDies(Hives hives) {
        Hive hive = hives.create(2);
        Path extra = hive.mountOn("desktop1");
        Path other = hive.mountOn("desktop2");
        try (Locker survivor = Locker.with(other.resolve("file"));
                Locker onMount = Locker.with(extra.resolve("file"));
                Locker onDesktop = Locker.with(hive.mount().resolve("file"))) {
            onMount.ask("lock record try f exclusive 0 1");
            onDesktop.ask("lock record try f exclusive 1 1");
            survivor.begin("lock record wait f exclusive 0 1");
            survivor.awaitWaiting();

            Program.of("umount", "-f", "-l", extra.toString()).run();
            assertThat(survivor.answer()).as("of the mount").isEqualTo("done");

            survivor.begin("lock record wait f exclusive 1 1");
            survivor.awaitWaiting();
            hive.desktop(1).kill();
            hive.up();
            assertThat(survivor.answer()).as("of the desktop").isEqualTo("done");
        }
    }

    @Test
    void shouldKeepLocksAndWaitersOverARestartOfTheQueenBee(Hives hives) {
        Hive hive = hives.create(2);
        Role queenBee = hive.queenBee();
        Path other = hive.mountOn("desktop2");
        try (Locker here = Locker.with(hive.mount().resolve("file"));
                Locker there = Locker.with(other.resolve("file"));
                Locker third = Locker.with(other.resolve("file"))) {
            here.ask("lock record try f exclusive 0 10");
            here.ask("lock flock try f exclusive");
            there.begin("lock record wait f exclusive 5 1");
            there.awaitWaiting();

            queenBee.kill();
            queenBee.restart();

            assertThat(third.ask("lock record try f shared 0 1")).isEqualTo("EAGAIN");
            assertThat(third.ask("lock flock try f shared")).isEqualTo("EAGAIN");
            assertThat(there.isAnswered()).isFalse();
            here.ask("lock record try f unlocked 0 10");
            assertThat(there.answer()).isEqualTo("done");
            assertThat(third.ask("lock record try f shared 5 1")).isEqualTo("EAGAIN");
        }
    }

    @Test
    void shouldLetWaitersBeInterruptedWhileTheQueenBeeIsAway(Hives hives) {
        Hive hive = hives.create(1);
        Role queenBee = hive.queenBee();
        try (Locker here = Locker.with(hive.mount().resolve("file"));
                Locker there = Locker.with(hive.mount().resolve("file"))) {
            here.ask("lock record try f exclusive");
            there.begin("lock record wait f exclusive");
            there.awaitWaiting();
            queenBee.kill();

            there.signal(Posix.SIGALRM);

            assertThat(there.answer()).isEqualTo("EINTR");
            here.begin("close f");
            assertThat(here.answer()).as("close does not wait for her").isEqualTo("done");
            queenBee.restart();
            assertThat(there.ask("lock record wait f exclusive")).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldShowTwoToPingPong(Other other, Mounts mounts) throws IOException {
        Path program = mounts.scratch().resolve("ping_pong-" + other);
        Path source = Locker.resource(
                "ping_pong.c", Files.createDirectories(mounts.scratch().resolve("" + other)));
        Program.of("gcc", "-O2", "-Wall", "-o", program.toString(), source.toString())
                .run();
        Path file = mounts.local().resolve("ping_pong");
        try (RunningProgram first =
                        Program.of(program.toString(), file.toString(), "2").start();
                RunningProgram second = Program.of(
                                program.toString(),
                                other.in(mounts, "ping_pong").toString(),
                                "2")
                        .start()) {
            for (RunningProgram player : List.of(first, second)) {
                Await.until(
                        SOON,
                        () -> "both walk: " + player.outputSoFar() + player.errorsSoFar(),
                        () -> player.outputSoFar().contains("2"));
                assertThat(player.outputSoFar().lines()).isSubsetOf("1", "2");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetSeveralProgramsWriteADatabase(Other other, Mounts mounts) {
        assumeTrue(
                isExact() || other == Other.ON_THE_SAME_MOUNT,
                "SKIPPED: SQLite needs to see at once that its journal's name has gone");
        String script = """
                import sqlite3, sys
                database = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
                database.execute('CREATE TABLE IF NOT EXISTS t (who TEXT, n INTEGER)')
                for n in range(30):
                    database.execute('BEGIN IMMEDIATE')
                    count = database.execute('SELECT count(*) FROM t').fetchone()[0]
                    database.execute('INSERT INTO t VALUES (?, ?)', (sys.argv[2], count))
                    database.execute('COMMIT')
                """;
        Path here = mounts.local().resolve("database");
        Path there = other.in(mounts, "database");
        try (RunningProgram first = Program.of("python3", "-c", script, here.toString(), "first")
                        .start();
                RunningProgram second = Program.of("python3", "-c", script, there.toString(), "second")
                        .start()) {
            first.await(Duration.ofMinutes(2)).mustSucceed();
            second.await(Duration.ofMinutes(2)).mustSucceed();
        }

        String rows = Program.of("python3", "-c", """
                import sqlite3, sys
                database = sqlite3.connect(sys.argv[1])
                print(database.execute('PRAGMA integrity_check').fetchone()[0])
                print(*database.execute('SELECT count(*), count(DISTINCT n), min(n), max(n) FROM t').fetchone())
                """, there.toString()).run().output();
        assertThat(rows.lines()).containsExactly("ok", "60 60 0 59");
        Program.of("rm", here.toString()).run();
    }

    /** Whether names that have gone through another mount are gone at once. */
    boolean isExact() {
        return true;
    }

    private static Locker firstToHear(Locker one, Locker another) {
        Await.until(SOON, "one of both hears", () -> one.isAnswered() || another.isAnswered());
        return one.isAnswered() ? one : another;
    }

    private static Locker theOther(Locker locker, Locker one, Locker another) {
        return locker == one ? another : one;
    }
}
