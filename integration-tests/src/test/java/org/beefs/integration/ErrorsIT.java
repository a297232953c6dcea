package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.state.Identity;
import org.beefs.integration.faults.SmallDisk;
import org.beefs.integration.hive.StandaloneRoles;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When a part of the hive cannot do its work, programs get the errno that POSIX has for it, the log says why in one
 * line, nothing that was acknowledged is lost, and all goes on when the part works again.
 */
@Requires(programs = {"prlimit", "mkfs.ext4", "filefrag"})
class ErrorsIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Of programs, for a part that is away. */
    private static final String SHORT_PATIENCE = """

            [honeybee]
            patience = "3s"
            """;

    private static final String ROOMY = """
            [honeycomb]
            capacity = "200M"
            reserve = "1M"
            """;
    private static final String NARROW = """
            [honeycomb]
            capacity = "4M"
            reserve = "1M"
            """;

    private final StandaloneRoles roles = new StandaloneRoles();
    private final List<SmallDisk> disks = new ArrayList<>();

    /** Started with the first desktop. */
    private @Nullable RunningProgram queenBee;

    private String address = "";

    @AfterEach
    void endAll() {
        disks.forEach(SmallDisk::close);
        roles.close();
    }

    @Test
    void shouldPlaceNewFilesElsewhereWhenTheOwnHoneycombIsFull() throws IOException {
        RunningProgram full = desktop("desk7", NARROW);
        RunningProgram roomy = desktop("desk8", ROOMY);
        Path kept = write("desk7", "kept", 3500 << 10);

        assertFails(Errno.ENOSPC, () -> append(kept, content(2 << 20)));
        Path elsewhere = writeSoon("desk7", 2 << 20);

        assertHolds(kept, 3500 << 10);
        assertHolds(elsewhere, 2 << 20);
        assertHolds(mount("desk8").resolve("kept"), 3500 << 10);
        assertSays(full, "programs get ENOSPC from this honeycomb", "capacity is used up");
        assertSays(roomy);
    }

    @Test
    void shouldSayThatTheHiveIsFull() throws IOException {
        RunningProgram first = desktop("desk7", NARROW);
        desktop("desk8", NARROW);
        List<Path> kept = List.of(write("desk7", "kept", 3500 << 10), write("desk8", "too", 3500 << 10));

        assertFails(Errno.ENOSPC, () -> write("desk7", "new", 2 << 20));
        assertFails(Errno.ENOSPC, () -> write("desk8", "newer", 2 << 20));
        assertFails(
                Errno.ENOSPC, () -> with(kept.getFirst(), Posix.O_WRONLY, fd -> Posix.fallocate(fd, 0, 0, 5 << 20)));

        assertHolds(kept.getFirst(), 3500 << 10);
        assertHolds(kept.getLast(), 3500 << 10);
        assertThat(lines(first, "programs get ENOSPC from this honeycomb: the honeycomb's capacity is used up"))
                .hasSize(1);
        assertThat(lines(first, ""))
                .as("the other is of the file that went elsewhere")
                .hasSizeLessThanOrEqualTo(2);
        Posix.mkdir(mount("desk7").resolve("names need no room there"), 0755);
        until("the hive is known to be full", () -> available() < 2 << 20);
        Files.delete(kept.getFirst());
        Path roomAgain = writeSoon("desk7", 2 << 20);
        assertHolds(mount("desk8").resolve(roomAgain.getFileName()), 2 << 20);
    }

    /** On the larger disk the kernel writes files by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"400M", "3G"})
    void shouldRefuseChangesWhileTheDiskIsReadOnly(String size) throws IOException {
        SmallDisk disk = disk(size, "150M");
        RunningProgram desktop = desktop("desk7", onDisk(disk));
        Path kept = write("desk7", "kept", 100_000);
        Path open = write("desk7", "open", 100_000);
        Posix.mkdir(mount("desk7").resolve("folder"), 0755);
        disk.sync();
        int fd = Posix.open(open, Posix.O_RDWR, 0);
        try {
            disk.makeReadOnly();

            assertFails(Errno.EROFS, () -> append(kept, content(10)));
            assertFails(Errno.EROFS, () -> Posix.truncate(kept, 10));
            assertFails(Errno.EROFS, () -> write("desk7", "new", 1000));
            assertFails(Errno.EROFS, () -> Posix.pwrite(fd, 0, content(10)));
            Posix.mkdir(mount("desk7").resolve("folder/names do not lie there"), 0755);
            Posix.mkdir(mount("desk7").resolve("folder/nor others"), 0755);
        } finally {
            Posix.close(fd);
        }
        assertHolds(kept, 100_000);
        assertHolds(open, 100_000);
        // Besides, replicas may have been checked just then, which writes to the catalog.
        assertThat(lines(desktop, "programs get EROFS from this honeycomb")).hasSize(1);

        desktop.signal(Posix.SIGINT);
        assertThat(desktop.endsWithin(SOON)).isTrue();
        disk.repair();
        start("desk7");
        assertThat(lastLoss(disk)).as("what was not synced is gone").isEqualTo(2);
        assertHolds(kept, 100_000);
        append(kept, content(10));
        assertThat(kept).hasSize(100_010);
        assertHolds(write("desk7", "newer", 1000), 1000);
    }

    @Test
    void shouldPlaceNewFilesElsewhereWhenTheDiskHasNoInodes() throws IOException {
        SmallDisk disk = disk("64M", "100M");
        desktop("desk7", onDisk(disk));
        desktop("desk8", ROOMY);
        Path kept = write("desk7", "kept", 1000);
        disk.useUpInodes();

        assertHolds(writeSoon("desk7", 1000), 1000);
        append(kept, content(10));
        assertThat(kept).hasSize(1010);
    }

    /** However often it starts, and however it ended: of the room that is kept for that, others get nothing. */
    @Test
    void shouldStartOnAFullDiskToBeRead() throws IOException {
        SmallDisk disk = disk("128M", "150M");
        RunningProgram desktop = desktop("desk7", onDisk(disk));
        Path kept = write("desk7", "kept", 100_000);
        Path filler = disk.fill();

        for (int end : new int[] {Posix.SIGKILL, Posix.SIGINT, Posix.SIGINT, Posix.SIGKILL}) {
            desktop.signal(end);
            assertThat(desktop.endsWithin(SOON)).isTrue();
            disk.fill();
            desktop = start("desk7");

            assertSaysThatItStartedOnAFullDisk(desktop);
            assertHolds(kept, 100_000);
            assertFails(Errno.ENOSPC, () -> append(kept, content(100_000)));
            assertHolds(kept, 100_000);
        }
        assertThat(lastLoss(disk)).as("kills lose nothing").isEqualTo(1);
        Files.delete(filler);
        until("there is room again", () -> succeeds(() -> append(kept, content(10))));
        assertHolds(write("desk7", "newer", 1000), 1000);
    }

    private static void assertSaysThatItStartedOnAFullDisk(RunningProgram desktop) {
        assertThat(lines(desktop, "the disk is full, and this start uses the room"))
                .hasSize(1);
    }

    @Test
    void shouldSayThatTheDiskIsTooFullToStartAndKeepWhatIsThere() throws IOException {
        SmallDisk disk = disk("64M", "100M");
        RunningProgram before = desktop("desk7", onDisk(disk));
        Path kept = write("desk7", "kept", 100_000);
        before.signal(Posix.SIGINT);
        assertThat(before.endsWithin(SOON)).isTrue();
        Files.delete(disk.folder().resolve("honeycomb/spare")); // as where others took its room during a start
        Path filler = disk.fill();

        Result refused = roles.beefs(daemon("desk7")).runToAnyEnd();

        assertThat(refused.succeeded()).isFalse();
        assertThat(refused.errors()).contains("its disk is full").doesNotContain("\tat ");
        Files.delete(filler);
        start("desk7");
        assertHolds(kept, 100_000);
    }

    /** What is not on disk is not acknowledged by fsync, however often it is asked; what is on disk can be read. */
    @ParameterizedTest
    @ValueSource(strings = {"400M", "3G"})
    void shouldTellOfWhatTheDiskCannotKeep(String size) throws IOException {
        SmallDisk disk = disk(size, "40M");
        RunningProgram desktop = desktop("desk7", onDisk(disk));
        Path kept = write("desk7", "kept", 1 << 20);

        int fd = Posix.open(mount("desk7").resolve("lost"), Posix.O_RDWR | Posix.O_CREAT, 0644);
        try {
            byte[] piece = content(1 << 20);
            PosixException failure = catchThrowableOfType(PosixException.class, () -> {
                for (int i = 0; i < 60; i++) {
                    Posix.pwrite(fd, (long) i << 20, piece);
                    Posix.fsync(fd);
                }
            });
            assertThat(failure).as("the disk takes 40 MB").isNotNull();
            assertThat(failure.errno()).isIn(Errno.EIO, Errno.EROFS);
            assertThat(failure).hasMessageContaining("fsync");
            assertFails(failure.errno(), () -> Posix.fsync(fd));
        } finally {
            Posix.close(fd);
        }

        assertHolds(kept, 1 << 20);
        assertThat(lines(desktop, "programs get E")).isNotEmpty().hasSizeLessThanOrEqualTo(2);
        assertThat(desktop.isRunning()).isTrue();
    }

    /** On the larger disk the kernel reads files by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"400M", "3G"})
    void shouldTellOfWhatTheDiskCannotReadAnyMore(String size) throws IOException {
        SmallDisk disk = disk(size, "150M");
        RunningProgram desktop = desktop("desk7", onDisk(disk));
        Path kept = write("desk7", "kept", 100_000);
        Path damaged = write("desk7", "damaged", 16 << 20);
        desktop.signal(Posix.SIGINT); // the mount's kernel has the content in memory
        assertThat(desktop.endsWithin(SOON)).isTrue();
        RunningProgram again = start("desk7");
        disk.loseEndOfLargestFile("honeycomb/replicas");

        assertFails(Errno.EIO, () -> read(damaged));
        with(damaged, Posix.O_RDONLY, fd -> {
            assertThat(Posix.pread(fd, 0, 4096)).isEqualTo(Arrays.copyOf(content(16 << 20), 4096));
            assertFails(Errno.EIO, () -> Posix.pread(fd, (16 << 20) - 4096, 4096));
        });

        assertHolds(kept, 100_000);
        assertHolds(write("desk7", "new", 1000), 1000);
        assertThat(lines(again, "programs get EIO")).hasSize(size.equals("3G") ? 0 : 1);
    }

    @Test
    void shouldSayThatTheDaemonHasTooManyFilesOpen() throws IOException {
        RunningProgram desktop = desktop("desk7", ROOMY);
        Path mount = mount("desk7");
        Path kept = write("desk7", "kept", 1000);
        List<Integer> open = new ArrayList<>();
        long limit = descriptors(desktop) + 40;
        Program.of("prlimit", "--pid", Long.toString(desktop.pid()), "--nofile=" + limit + ":")
                .run();
        try {
            PosixException failure = catchThrowableOfType(PosixException.class, () -> {
                for (int i = 0; i < 200; i++) {
                    int fd = Posix.open(mount.resolve("file" + i), Posix.O_RDWR | Posix.O_CREAT, 0644);
                    open.add(fd);
                    Posix.pwrite(fd, 0, content(100));
                }
            });
            assertThat(failure).as("a failure of the 200 files").isNotNull();
            assertThat(failure.errno()).isEqualTo(Errno.ENFILE);
            assertSays(desktop, "programs get ENFILE from this honeycomb");
            for (int fd : open.subList(0, 10)) {
                assertThat(Posix.pread(fd, 0, 200)).isEqualTo(content(100));
            }
        } finally {
            open.forEach(Posix::close);
            Program.of("prlimit", "--pid", Long.toString(desktop.pid()), "--nofile=4096:")
                    .run();
        }
        until("files can be opened again", () -> succeeds(() -> write("desk7", "new", 1000)));
        assertHolds(kept, 1000);
    }

    @Test
    void shouldSayWhichDesktopMustComeBack() throws IOException {
        RunningProgram here = desktop("desk7", ROOMY + SHORT_PATIENCE);
        RunningProgram there = desktop("desk8", ROOMY);
        write("desk8", "remote", 100_000);
        Path remote = mount("desk7").resolve("remote");
        Path local = write("desk7", "local", 100_000);

        there.signal(Posix.SIGKILL);
        assertThat(there.endsWithin(SOON)).isTrue();

        assertFails(Errno.EIO, () -> read(remote));
        assertFails(Errno.EIO, () -> append(remote, content(10)));
        assertFails(Errno.EIO, () -> read(remote));
        assertHolds(local, 100_000);
        assertThat(mount("desk7")).isDirectoryContaining(path -> path.endsWith("remote"));
        assertThat(lines(here, "desk8 must come back")).hasSize(1);
        assertThat(lines(here, "no connection with the honeycomb of desk8")).hasSize(1);
        assertThat(lines(here, "")).hasSize(2);

        start("desk8");
        until("its files can be read again", () -> succeeds(() -> read(remote)));
        assertHolds(remote, 100_000);
    }

    @Test
    void shouldSayThatTheQueenBeeIsAway() throws IOException {
        RunningProgram desktop = desktop("desk7", ROOMY + SHORT_PATIENCE);
        Path kept = write("desk7", "kept", 100_000);

        RunningProgram dying = Objects.requireNonNull(queenBee);
        dying.signal(Posix.SIGKILL);
        assertThat(dying.endsWithin(SOON)).isTrue();

        assertFails(Errno.EIO, () -> write("desk7", "new", 1000));
        assertFails(Errno.EIO, () -> Posix.mkdir(mount("desk7").resolve("folder"), 0755));
        assertFails(Errno.EIO, () -> Posix.rename(kept, kept.resolveSibling("renamed")));
        assertThat(lines(desktop, "no connection with the queen-bee")).hasSize(1);

        roles.start("queenbee", "--listen", address);
        until("names can be changed again", () -> succeeds(() -> write("desk7", "newer", 1000)));
        assertHolds(kept, 100_000);
    }

    private SmallDisk disk(String size, String real) {
        SmallDisk disk = SmallDisk.create(roles.path("disk" + disks.size()), size, real);
        disks.add(disk);
        return disk;
    }

    /** The last start on the disk before which something may have been lost; the first one counts. */
    private static long lastLoss(SmallDisk disk) throws IOException {
        byte[] identity = Files.readAllBytes(disk.folder().resolve("honeycomb/honeycomb.json"));
        return Identity.decode(identity).present().afterLoss();
    }

    private static String onDisk(SmallDisk disk) {
        return """
                [honeycomb]
                folder = "%s"
                reserve = "1M"
                """.formatted(disk.folder().resolve("honeycomb"));
    }

    /** A desktop with a mount of its own, in a hive whose queen-bee is started with the first. */
    private RunningProgram desktop(String name, String settings) {
        if (queenBee == null) {
            queenBee = roles.start("queenbee", "--listen", "127.0.0.1:0");
            address = StandaloneRoles.addressOf(queenBee);
        }
        roles.file(name + ".toml", """
                [desktop]
                name = "%s"

                [queenbee]
                address = "%s"

                %s
                """.formatted(name, address, settings));
        return start(name);
    }

    private RunningProgram start(String name) {
        return roles.start(daemon(name));
    }

    private String[] daemon(String name) {
        return new String[] {
            "desktop",
            name,
            "--config",
            roles.path(name + ".toml").toString(),
            "--mount",
            mount(name).toString()
        };
    }

    private Path mount(String desktop) {
        return roles.path("mount-" + desktop);
    }

    private long available() {
        return Posix.statvfs(mount("desk7")).available();
    }

    /** What fsync has acknowledged. */
    private Path write(String desktop, String name, int size) {
        Path file = mount(desktop).resolve(name);
        with(file, Posix.O_WRONLY | Posix.O_CREAT | Posix.O_TRUNC, fd -> writeAll(fd, content(size)));
        return file;
    }

    /** A new file, when the queen-bee has heard how full the honeycombs are, which she does with each heartbeat. */
    private Path writeSoon(String desktop, int size) {
        List<String> tried = new ArrayList<>();
        until("there is room for a new file", () -> {
            tried.add("try" + tried.size());
            return succeeds(() -> write(desktop, tried.getLast(), size));
        });
        return mount(desktop).resolve(tried.getLast());
    }

    private static void append(Path file, byte[] bytes) {
        with(file, Posix.O_WRONLY | Posix.O_APPEND, fd -> writeAll(fd, bytes));
    }

    private static void writeAll(int fd, byte[] bytes) {
        int done = 0;
        while (done < bytes.length) {
            done += Posix.write(fd, Arrays.copyOfRange(bytes, done, bytes.length));
        }
        Posix.fsync(fd);
    }

    private static byte[] read(Path file) {
        byte[][] content = new byte[1][];
        with(file, Posix.O_RDONLY, fd -> content[0] = Posix.pread(fd, 0, 16 << 20));
        return content[0];
    }

    private static void with(Path file, int flags, IntConsumer use) {
        int fd = Posix.open(file, flags, 0644);
        try {
            use.accept(fd);
        } finally {
            Posix.close(fd);
        }
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The first bytes are those, whatever was acknowledged behind them. */
    private static void assertHolds(Path file, int size) {
        byte[] found = read(file);
        assertThat(found.length).as("size of %s", file).isGreaterThanOrEqualTo(size);
        assertThat(Arrays.copyOf(found, size)).as("bytes of %s", file).isEqualTo(content(size));
    }

    private static void assertFails(Errno errno, ThrowingCallable call) {
        PosixException thrown = catchThrowableOfType(PosixException.class, call);
        assertThat(thrown).as("a failure with " + errno).isNotNull();
        assertThat(thrown.errno()).as(thrown.getMessage()).isEqualTo(errno);
    }

    /** One warning, with all these words; none without words. */
    private static void assertSays(RunningProgram role, String... words) {
        List<String> warnings = lines(role, "");
        assertThat(warnings).hasSize(words.length == 0 ? 0 : 1);
        if (words.length > 0) {
            assertThat(warnings.getFirst()).contains(words);
        }
    }

    /** Lines of the log that are warnings or worse, beside what is said once at a start, and have these words. */
    private static List<String> lines(RunningProgram role, String words) {
        return role.errorsSoFar()
                .lines()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR ") || line.startsWith("\tat "))
                .filter(line -> line.contains(words))
                .toList();
    }

    private static long descriptors(RunningProgram program) throws IOException {
        try (var open = Files.list(Path.of("/proc/" + program.pid() + "/fd"))) {
            return open.count();
        }
    }

    private static boolean succeeds(Runnable work) {
        try {
            work.run();
            return true;
        } catch (PosixException notYet) {
            return false;
        }
    }

    private static void until(String sentence, BooleanSupplier condition) {
        Await.until(SOON, sentence, condition);
    }
}
