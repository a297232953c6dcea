package org.beefs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.SystemTimers;
import org.beefs.integration.faults.DiskCopy;
import org.beefs.integration.faults.FileMaker;
import org.beefs.integration.faults.SmallDisk;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.server.QueenBeeServer;
import org.beefs.queenbee.server.ServerWorld;
import org.beefs.queenbee.state.EntryRecord;
import org.beefs.queenbee.state.HiveRecord;
import org.junit.jupiter.api.Test;

/** Disks are looked at as they would be had the power failed at any moment. */
@InHive
class PowerLossIT {
    private static final int MOMENTS = Integer.getInteger("beefs.moments", 6);

    /** After as many it is no chance any more that nothing was ever lost. */
    private static final int MOST_MOMENTS = 4 * MOMENTS;

    private static final Duration SOON = Duration.ofSeconds(60);

    @Test
    void shouldStartWithAPrefixThatHasAllThatWasSyncedWheneverThePowerFails(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        try (SmallDisk disk = SmallDisk.create(hive.scratch(), "128m", "256m")) {
            moveToDisk(hive, hive.queenBee().folder().resolve("data"), disk);
            Random random = new Random(7);
            try (FileMaker maker =
                    new FileMaker(Files.createDirectory(hive.mount().resolve("made")))) {
                for (int moment = 0; moment < MOMENTS; moment++) {
                    letSomeBeMade(maker, random);
                    hive.queenBee().stop();
                    try (DiskCopy copy = DiskCopy.of(disk, hive.scratch())) {
                        check(copy.folder().resolve("data"), maker);
                    } finally {
                        hive.queenBee().resume();
                    }
                }
            }
            hive.down();
        }
    }

    @Test
    void shouldLetProgramsGoOnAsIfNothingHadBeenWhenItsPowerIsBack(Hives hives) throws IOException {
        Hive hive = hives.create(1);
        try (SmallDisk disk = SmallDisk.create(hive.scratch(), "128m", "256m")) {
            moveToDisk(hive, hive.queenBee().folder().resolve("data"), disk);
            Random random = new Random(8);
            Path made = Files.createDirectory(hive.mount().resolve("made"));
            FileMaker maker = new FileMaker(made);
            try (maker) {
                for (int moment = 0; moment < MOMENTS || goesOn(hive, moment); moment++) {
                    letSomeBeMade(maker, random);
                    losePowerWhileAFileIsOpen(hive, disk, hive.mount().resolve("open" + moment));
                }
                assertThat(maker.isAtWork()).isTrue();
            }
            assertThat(made.toFile().list())
                    .containsExactlyInAnyOrder(IntStream.range(0, maker.begun())
                            .mapToObj(Integer::toString)
                            .toArray(String[]::new));
            assertThat(hasLostSomething(hive)).as("something was lost").isTrue();
            hive.down();
        }
    }

    /** What others have is on the primary's disk, too: it may be asked to give it to them alone. */
    @Test
    void shouldHaveOnADesktopWhatWasSyncedAndWhatOthersHaveOfIt(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        hive.beefs("set", hive.mount().toString(), "--coherence", "200ms").run().mustSucceed();
        Role desktop = hive.desktop(1);
        try (SmallDisk disk = SmallDisk.create(hive.scratch(), "128m", "256m")) {
            keepNothingFree(desktop);
            moveToDisk(hive, desktop.folder().resolve("honeycomb"), disk);
            Path copied = hive.mount().resolve("copied");
            Path synced = hive.mount().resolve("synced");

            Files.write(copied, content(1));
            Await.until(SOON, "the other one has it", () -> isCurrentOnBoth(copied));
            try (FileChannel open = FileChannel.open(synced, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                open.write(ByteBuffer.wrap(content(2)));
                open.force(true);
            }
            hive.desktop(2).kill();
            losePower(desktop, disk, hive.scratch());
            desktop.restart();
            Await.until(SOON, hive::status, () -> Files.exists(synced));

            assertThat(Arrays.equals(Files.readAllBytes(copied), content(1))).isTrue();
            assertThat(Arrays.equals(Files.readAllBytes(synced), content(2))).isTrue();
            hive.down();
        }
    }

    private static boolean isCurrentOnBoth(Path file) {
        return new String(Xattrs.get(file, "beefs.location"), UTF_8)
                        .lines()
                        .filter(line -> line.contains("\tcurrent"))
                        .count()
                == 2;
    }

    private static void keepNothingFree(Role desktop) throws IOException {
        Path configuration = desktop.folder().resolve("desktop.toml");
        String text = Files.readString(configuration);
        assertThat(text).containsPattern("(?m)^# reserve = ");
        Files.writeString(configuration, text.replaceAll("(?m)^# reserve = .*$", "reserve = \"0\""));
    }

    private static byte[] content(int seed) {
        byte[] content = new byte[100_000];
        new Random(seed).nextBytes(content);
        return content;
    }

    /** Whether it takes another moment, because in all so far everything was on disk. */
    private static boolean goesOn(Hive hive, int moment) {
        return moment < MOST_MOMENTS && !hasLostSomething(hive);
    }

    private static boolean hasLostSomething(Hive hive) {
        return hive.queenBee().log().contains("of them were made again");
    }

    private static void losePowerWhileAFileIsOpen(Hive hive, SmallDisk disk, Path file) throws IOException {
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            open.write(ByteBuffer.wrap(new byte[] {1, 2}));
            losePower(hive.queenBee(), disk, hive.scratch());
            hive.up();
            open.write(ByteBuffer.wrap(new byte[] {3}));
        }
        assertThat(Files.readAllBytes(file)).containsExactly(1, 2, 3);
    }

    /** The process is dead then, and its folder on the disk as the power has left it. */
    private static void losePower(Role role, SmallDisk disk, Path scratch) {
        role.stop();
        try (DiskCopy copy = DiskCopy.of(disk, scratch)) {
            role.kill();
            Program.shell("cd \"$DISK\" && for i in data honeycomb; do if [ -e $i ]; then"
                            + " rm -r $i && cp -a \"$COPY/$i\" . || exit; fi; done && sync -f .")
                    .with("COPY", copy.folder().toString())
                    .with("DISK", disk.folder().toString())
                    .run();
        }
    }

    private static void letSomeBeMade(FileMaker maker, Random random) {
        int wanted = maker.begun() + 1 + random.nextInt(300);
        Await.until(SOON, "files are made", () -> maker.begun() >= wanted);
    }

    private static void moveToDisk(Hive hive, Path folder, SmallDisk disk) {
        hive.down();
        Program.shell(
                        "cp -a \"$DATA\" \"$DISK/\" && sync -f \"$DISK\" && rm -r \"$DATA\" && ln -s \"$DISK/$(basename \"$DATA\")\" \"$DATA\"")
                .with("DATA", folder.toString())
                .with("DISK", disk.folder().toString())
                .run();
        hive.up();
    }

    /** While the queen-bee of the living hive stands still, so that nobody makes anything. */
    private static void check(Path state, FileMaker maker) throws IOException {
        int synced = maker.synced();
        start(state);
        Set<Integer> names = new TreeSet<>();
        long[] incarnation = new long[1];
        try (RocksStateStore store = RocksStateStore.open(state)) {
            store.load((key, record) -> {
                if (key.kind() == StateKey.Kind.ENTRY) {
                    String name = EntryRecord.parseFrom(record).getName().toStringUtf8();
                    if (name.matches("\\d+")) {
                        names.add(Integer.parseInt(name));
                    }
                } else if (key.kind() == StateKey.Kind.HIVE) {
                    incarnation[0] = HiveRecord.parseFrom(record).getIncarnation();
                }
            });
        }
        assertThat(names).isEqualTo(IntStream.range(0, names.size()).boxed().collect(Collectors.toSet()));
        assertThat(names.size()).isBetween(synced, maker.begun());
        // All that she numbers from now on is above all that was ever seen.
        assertThat(incarnation[0]).isGreaterThan(Numbering.incarnationOf(maker.highestInode()));
    }

    /** A queen-bee starts there, and ends. */
    private static void start(Path state) throws IOException {
        try (TcpNetwork network = new TcpNetwork();
                SystemTimers timers = new SystemTimers();
                QueenBeeServer server = QueenBeeServer.open(new ServerWorld(
                        state,
                        QueenBeeConfig.of("127.0.0.1:0", state),
                        new SystemClock(),
                        timers,
                        network,
                        new Random(1),
                        new OperationTimes<>()))) {
            assertThat(server.address().getPort()).isPositive();
        }
    }
}
