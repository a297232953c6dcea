package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.MountPoints;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.lock.Locker;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** The driver through jnr-fuse and libfuse 2, in short. */
@InHive
@OnDriver("jnr")
class SecondDriverIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final int CALLS = Length.of(100_000, 1_000_000);

    /** A Java thread that is not freed would cost more than 1 kB for each call. */
    private static final long MOST_GROWTH_KB = 64 << 10;

    @Test
    @Requires(programs = "pjdfstest")
    void shouldConformAsFarAsLibfuseCan(Mounts mounts) throws Exception {
        PosixConformanceIT.conforms(mounts.local(), mounts.scratch());
    }

    @Test
    void shouldShowOnOneMountWhatAnotherHasChanged(Mounts mounts) throws IOException {
        Path here = Files.createDirectory(mounts.local().resolve("agree"));
        Path there = mounts.otherDesktop().resolve("agree");
        Path file = Files.writeString(here.resolve("file"), "first");
        awaitContent(there.resolve("file"), "first");

        Files.writeString(there.resolve("file"), "other");
        awaitContent(file, "other");
        Files.move(there.resolve("file"), there.resolve("moved"));

        Await.until(
                SOON, "the new name alone is seen", () -> !Files.exists(file) && Files.exists(here.resolve("moved")));
        assertThat(Posix.stat(here.resolve("moved")).inode())
                .isEqualTo(Posix.stat(there.resolve("moved")).inode());
    }

    @Test
    void shouldKeepLocksOfAllMountsApart(Mounts mounts) {
        try (Locker here = Locker.with(mounts.local().resolve("locked"));
                Locker there = Locker.with(mounts.otherDesktop().resolve("locked"))) {
            assertThat(here.ask("lock record try f exclusive 0 10")).isEqualTo("done");
            assertThat(there.ask("lock record try f shared 9 1")).isEqualTo("EAGAIN");
            assertThat(there.ask("lock record try f exclusive 10 10")).isEqualTo("done");
            assertThat(here.ask("lock record try f unlocked 0 10")).isEqualTo("done");
            assertThat(there.ask("lock record try f exclusive 0 10")).isEqualTo("done");
        }
    }

    /** Each callback on a thread that the JVM does not know would make a Java thread of its own. */
    @Test
    void shouldNeedNoMemoryForCalls(Mounts mounts, Hive hive) throws IOException {
        Path file = Files.writeString(mounts.local().resolve("called"), "x");
        call(file, CALLS / 4);
        long before = residentKilobytes(hive.desktop(1).pid());

        call(file, CALLS);

        assertThat(residentKilobytes(hive.desktop(1).pid()) - before).isLessThan(MOST_GROWTH_KB);
        assertThat(hive.requests(mounts.local()).of("GETATTR")).isGreaterThan(CALLS);
    }

    @Test
    void shouldKeepTheTerminalQuiet(Hives hives) throws IOException {
        Hive hive = hives.create(1);

        assertThat(hive.up().errors()).doesNotContainIgnoringCase("warning");
        assertThat(hive.desktop(1).folder().resolve("output")).content().isEmpty();
    }

    @Test
    void shouldLetProgramsBeKilledAndMountsBeTakenAway(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path second = hive.mountOn("desktop1");
        Files.write(hive.mountOn("desktop2").resolve("remote"), new byte[1 << 20]);
        hive.queenBee().stop();
        hive.desktop(2).stop();
        try (RunningProgram reader =
                Program.of("cat", hive.mount().resolve("remote").toString()).start()) {
            reader.signal(Posix.SIGKILL);
            assertThat(reader.endsWithin(SOON)).isTrue();
        }
        hive.beefs("umount", second.toString()).run();
        assertThat(MountPoints.isMounted(second)).isFalse();

        hive.desktop(1).kill();

        assertThat(Program.of("stat", hive.mount().resolve("remote").toString())
                        .within(SOON)
                        .runToAnyEnd()
                        .errors())
                .contains("not connected");
        hive.queenBee().resume();
        hive.desktop(2).resume();
        hive.up();
        assertThat(hive.mount().resolve("remote")).hasSize(1 << 20);
    }

    private static void awaitContent(Path file, String content) {
        Await.until(SOON, file + " has the content " + content, () -> content.equals(contentOf(file)));
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException absent) {
            return "";
        }
    }

    private static void call(Path file, int times) {
        Program.of(
                        "python3",
                        "-c",
                        "import os, sys\nfor i in range(int(sys.argv[2])): os.stat(sys.argv[1])",
                        file.toString(),
                        Integer.toString(times))
                .within(Duration.ofMinutes(30))
                .run();
    }

    private static long residentKilobytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
