package org.beefs.queenbee.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.InvalidProtocolBufferException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordsState;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.CatalogCheck;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.RandomWalk;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordFeedsTest {
    private static final Duration A_SECOND = Duration.ofSeconds(1);

    /** Until what was committed is sealed; three times that and it has secondaries: both change records again. */
    private static final Duration SETTLING = Duration.ofSeconds(15);

    private final MemoryStateStore store = new MemoryStateStore();
    private final TestHive hive = new TestHive(store);
    private final List<TestDesktop> desktops = new ArrayList<>();

    private TestDesktop desktop(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        desktops.add(desktop);
        return desktop;
    }

    private Map<Integer, List<Record>> catalogs() {
        Map<Integer, List<Record>> catalogs = new HashMap<>();
        for (TestDesktop desktop : desktops) {
            catalogs.put(
                    desktops.indexOf(desktop) + 1, List.copyOf(desktop.records().values()));
        }
        return catalogs;
    }

    private void assertCatalogsAgree() {
        assertThat(CatalogCheck.differences(hive.queenBee().state(), catalogs()))
                .isEmpty();
        assertThat(hive.queenBee().state().records().tombstones()).isZero();
    }

    /** All desktops are there, and nothing is left to do. */
    private void settle() {
        for (int i = 0; i < 3; i++) {
            desktops.forEach(TestDesktop::registered);
            hive.advance(SETTLING);
        }
    }

    private Honeycomb honeycomb(int number) {
        return hive.queenBee().state().honeycombs().all().get(number - 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldTellCatalogsOfEveryChange(long seed) {
        desktop("one");
        desktop("two");
        desktop("three");
        desktop("four");
        desktop("five");
        for (int round = 0; round < 20; round++) {
            int writer = round % desktops.size();
            new RandomWalk(desktops.get(writer), new Random(seed * 100 + round)).steps(100);
            settle();
            assertCatalogsAgree();
        }
        assertThat(hive.queenBee().state().records().waiting(honeycomb(1))).isZero();
        assertThat(hive.queenBee().state().records().behind(honeycomb(1))).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void shouldTellDesktopsThatComeBackWhatTheyHaveMissed(long seed) {
        Random random = new Random(seed);
        TestDesktop writer = desktop("writer");
        for (String name : List.of("two", "three", "four", "five")) {
            desktop(name);
        }
        RandomWalk walk = new RandomWalk(writer, random);
        for (int round = 0; round < 20; round++) {
            TestDesktop absent = desktops.get(1 + random.nextInt(desktops.size() - 1));
            absent.disconnect();
            walk.steps(100);
            hive.advance(A_SECOND);
            if (random.nextInt(4) == 0) {
                hive.restart();
                desktops.forEach(TestDesktop::registered);
            } else if (random.nextInt(4) == 0) {
                absent.loseRecords();
            }
            settle();
            assertCatalogsAgree();
        }
    }

    @Test
    void shouldSayHowFarBehindAHoneycombIs() {
        TestDesktop desktop = desktop("desk");
        hive.advance(A_SECOND);
        desktop.disconnect();
        hive.advance(Duration.ofSeconds(3));
        assertThat(hive.queenBee().state().records().behind(honeycomb(1))).isGreaterThan(Duration.ofSeconds(2));
        desktop.registered();
        hive.advance(A_SECOND);
        assertThat(hive.queenBee().state().records().behind(honeycomb(1))).isZero();
    }

    @Test
    void shouldCountTheRecordsThatItTellsAgain() {
        TestDesktop writer = desktop("writer");
        TestDesktop away = desktop("away");
        long directory = writer.ok(Ask.mkdir(Namespace.ROOT, "d", 0755))
                .getNode()
                .getAttributes()
                .getInode();
        hive.advance(A_SECOND);
        away.disconnect();
        writer.ok(Ask.chmod(directory, 0700));
        hive.advance(A_SECOND);
        long before = hive.queenBee().state().records().renewed();
        away.registered();
        hive.advance(A_SECOND);
        assertThat(hive.queenBee().state().records().renewed()).isEqualTo(before + 1);
        assertCatalogsAgree();
    }

    @Test
    void shouldTellOnlyWhatIsOnDisk() {
        TestDesktop desktop = desktop("desk");
        hive.advance(A_SECOND);
        hive.holdFlushes();
        long directory = desktop.ok(Ask.mkdir(Namespace.ROOT, "d", 0755))
                .getNode()
                .getAttributes()
                .getInode();
        hive.advance(A_SECOND);
        assertThat(desktop.records()).doesNotContainKey(directory);
        hive.runFlushes();
        hive.advance(A_SECOND);
        assertThat(desktop.records()).containsKey(directory);
    }

    /** Each batch is synced. */
    @Test
    void shouldTellACatalogAtMostFourTimesASecondWhatChangesAllTheTime() {
        TestDesktop desktop = desktop("desk");
        hive.advance(A_SECOND);

        assertThat(batchesWhileItMakes(desktop, 100)).isBetween(8, 20);

        hive.advance(A_SECOND);
        assertCatalogsAgree();
    }

    @Test
    void shouldTellOthersNoMoreOftenWhileOneCatchesUp() {
        TestDesktop desktop = desktop("desk");
        TestDesktop back = desktop("back");
        hive.advance(A_SECOND);
        back.disconnect();
        for (int i = 0; i < 3 * 4096; i++) {
            desktop.ok(Ask.mkdir(Namespace.ROOT, "d" + i, 0755));
        }
        hive.advance(Duration.ofSeconds(5));
        back.registered();

        int batches = batchesWhileItMakes(desktop, 20);

        assertThat(batches).isBetween(1, 5).isLessThan(back.recordBatches());
        hive.advance(A_SECOND);
        assertCatalogsAgree();
    }

    /** How often a desktop's catalog is told of directories that it makes, one each 50 ms. */
    private int batchesWhileItMakes(TestDesktop desktop, int directories) {
        int before = desktop.recordBatches();
        for (int i = 0; i < directories; i++) {
            desktop.ok(Ask.mkdir(Namespace.ROOT, "made" + i, 0755));
            hive.advance(Duration.ofMillis(50));
        }
        return desktop.recordBatches() - before;
    }

    @Test
    void shouldTellAgainWhatWasNotAnswered() {
        TestDesktop desktop = desktop("desk");
        hive.advance(A_SECOND);
        desktop.setAnswering(false);
        desktop.ok(Ask.mkdir(Namespace.ROOT, "d", 0755));
        hive.advance(A_SECOND);
        desktop.setAnswering(true);
        hive.advance(Duration.ofSeconds(5));
        assertCatalogsAgree();
    }

    @Test
    void shouldTellCatalogsWhichDesktopsAreToBeEmptied() throws InvalidProtocolBufferException {
        TestDesktop desktop = desktop("desk");
        desktop("other");
        hive.advance(A_SECOND);

        desktop.ok(Ask.drain("other", false));
        hive.advance(A_SECOND);

        assertThat(CatalogHive.parseFrom(
                                Objects.requireNonNull(desktop.records().get(0L))
                                        .getContent())
                        .getHoneycombsList())
                .extracting(HoneycombRecord::getDesktop, HoneycombRecord::getDraining)
                .containsExactly(tuple("desk", false), tuple("other", true));
    }

    @Test
    void shouldTellCatalogsThatADesktopIsDeclaredLostThatHasBeenAwayForTooLongAlready()
            throws InvalidProtocolBufferException {
        TestDesktop desktop = desktop("desk");
        desktop("lost").disconnect();
        hive.advance(TestConfig.LONGER_THAN_THE_GRACE_TIME);
        desktop.registered();
        hive.advance(A_SECOND);
        assertThat(toldOfSecond(desktop).getLost()).isTrue();
        assertThat(toldOfSecond(desktop).getDeclared()).isFalse();

        desktop.ok(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop("lost")));
        hive.advance(A_SECOND);

        assertThat(toldOfSecond(desktop).getDeclared()).isTrue();
    }

    /** What a desktop's catalog knows of the honeycomb that has come second. */
    private static HoneycombRecord toldOfSecond(TestDesktop desktop) throws InvalidProtocolBufferException {
        return CatalogHive.parseFrom(
                        Objects.requireNonNull(desktop.records().get(0L)).getContent())
                .getHoneycombs(1);
    }

    @Test
    void shouldTellOfTheHiveOnlyWhoComesBackUnchanged() {
        desktop("one");
        desktop("two");
        TestDesktop back = desktop("back");
        hive.advance(A_SECOND);
        List<Long> before = toldOfTheHive();

        back.disconnect();
        hive.advance(A_SECOND);
        back.registered();
        hive.advance(A_SECOND);

        List<Long> after = toldOfTheHive();
        assertThat(after.subList(0, 2)).isEqualTo(before.subList(0, 2));
        assertThat(after.getLast()).isGreaterThan(before.getLast());
    }

    @Test
    void shouldTellAllOfTheHiveWhenALostDesktopComesBack() {
        TestDesktop one = desktop("one");
        TestDesktop lost = desktop("lost");
        lost.disconnect();
        one.ok(QueenRequest.newBuilder().setDeclareLost(DeclareLost.newBuilder().setDesktop("lost")));
        hive.advance(A_SECOND);
        List<Long> before = toldOfTheHive();

        lost.registered();
        hive.advance(A_SECOND);

        assertThat(toldOfTheHive().getFirst()).isGreaterThan(before.getFirst());
    }

    /** As of which change each desktop knows the hive itself. */
    private List<Long> toldOfTheHive() {
        return desktops.stream()
                .map(desktop ->
                        Objects.requireNonNull(desktop.records().get(0L)).getSequence())
                .toList();
    }

    /** What nobody was told of leaves no trace: a compiler makes and removes a file a second. */
    @Test
    void shouldTellNothingOfWhatHasGoneBeforeItWasTold() {
        TestDesktop desktop = desktop("desk");
        hive.advance(A_SECOND);
        desktop.ok(Ask.mknod(Namespace.ROOT, "fifo", FileMode.FIFO | 0600));
        desktop.ok(Ask.unlink(Namespace.ROOT, "fifo"));
        assertThat(hive.queenBee().state().records().tombstones()).isZero();
        hive.advance(A_SECOND);
        assertCatalogsAgree();
    }

    @Test
    void shouldKeepElsewhereWhatAnAbsentHoneycombHasYetToHear() {
        TestDesktop writer = desktop("writer");
        TestDesktop absent = desktop("absent");
        long handle = absent.newHandle();
        long file = absent.ok(Ask.create(Namespace.ROOT, "f", 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        absent.ok(Ask.release(
                file,
                handle,
                absent.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1))));
        hive.advance(A_SECOND);
        assertThat(absent.records()).containsKey(file);
        assertThat(writer.records()).doesNotContainKey(file);

        absent.disconnect();
        hive.advance(Duration.ofSeconds(6)); // so that it holds no leases any more
        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        hive.advance(A_SECOND);

        assertThat(writer.records().get(file)).matches(Record::getRemoved);
        hive.restart();
        writer.registered();
        hive.advance(A_SECOND);
        assertThat(writer.records().get(file)).matches(Record::getRemoved);
        absent.registered();
        hive.advance(A_SECOND.multipliedBy(2));
        assertCatalogsAgree();
    }

    @Test
    void shouldRememberNothingOfWhatDesktopsMakeAndRemoveWhileAHoneycombIsAway() {
        TestDesktop writer = desktop("writer");
        TestDesktop absent = desktop("absent");
        hive.advance(A_SECOND);
        absent.disconnect();
        hive.advance(Duration.ofSeconds(6)); // so that it holds no leases any more
        Decided decided = Decided.register(writer);
        long directory = decided.number();
        writer.ok(Decided.mkdir(Namespace.ROOT, "d", directory));
        hive.advance(A_SECOND);
        assertThat(writer.records()).containsKey(directory);

        writer.ok(Decided.rmdir(Namespace.ROOT, "d", directory));
        hive.advance(A_SECOND.multipliedBy(2));

        assertThat(hive.queenBee().state().records().tombstones()).isZero();
        absent.registered();
        hive.advance(A_SECOND.multipliedBy(2));
        assertCatalogsAgree();
    }

    @Test
    void shouldRememberWhatHasGoneWhoseNumberWasGivenBeforeAHoneycombWentAway() {
        TestDesktop writer = desktop("writer");
        TestDesktop absent = new TestDesktop(hive, "absent");
        desktops.add(absent);
        long directory = Decided.register(absent).number();
        hive.advance(A_SECOND);
        absent.disconnect();
        hive.advance(Duration.ofSeconds(6)); // so that it holds no leases any more
        writer.ok(Decided.mkdir(Namespace.ROOT, "d", directory));

        writer.ok(Decided.rmdir(Namespace.ROOT, "d", directory));
        hive.advance(A_SECOND.multipliedBy(2));

        assertThat(hive.queenBee().state().records().tombstones())
                .as("its desktop may have made it, and say so when it comes back")
                .isOne();
        absent.registered();
        hive.advance(A_SECOND.multipliedBy(2));
        assertCatalogsAgree();
    }

    @Test
    void shouldTellOfMoreRemovalsThanMayWait() {
        TestDesktop writer = desktop("writer");
        TestDesktop absent = desktop("absent");
        for (int i = 0; i <= Feed.MAX_WAITING; i++) {
            writer.ok(Ask.mkdir(Namespace.ROOT, "d" + i, 0755));
        }
        hive.advance(A_SECOND.multipliedBy(20));
        assertThat(absent.records()).hasSizeGreaterThan(Feed.MAX_WAITING);
        absent.disconnect();
        hive.advance(Duration.ofSeconds(6)); // so that it holds no leases any more
        for (int i = 0; i <= Feed.MAX_WAITING; i++) {
            writer.ok(Ask.rmdir(Namespace.ROOT, "d" + i));
        }
        hive.advance(A_SECOND.multipliedBy(20));

        absent.registered();
        hive.advance(A_SECOND.multipliedBy(60));

        assertCatalogsAgree();
    }

    @Test
    void shouldTellWhoComesLaterWhileACatalogTakesNothing() {
        TestDesktop writer = desktop("writer");
        TestDesktop broken = desktop("broken");
        TestDesktop late = desktop("late");
        makeMoreThanAScanTakesUp(writer);
        broken.disconnect();
        late.disconnect();
        broken.loseRecords();
        late.loseRecords();
        broken.setAnswering(false);
        broken.registered();
        hive.advance(A_SECOND);

        late.registered();
        hive.advance(A_SECOND.multipliedBy(20));

        assertThat(late.records().keySet()).isEqualTo(writer.records().keySet());
        assertThat(broken.records()).isEmpty();
        broken.setAnswering(true);
        hive.advance(A_SECOND.multipliedBy(60));
        assertCatalogsAgree();
    }

    @Test
    void shouldTellWhoHasComeInTheSameMomentWhileACatalogTakesNothing() {
        TestDesktop writer = desktop("writer");
        TestDesktop broken = desktop("broken");
        TestDesktop neighbour = desktop("neighbour");
        makeMoreThanAScanTakesUp(writer);
        broken.disconnect();
        neighbour.disconnect();
        broken.loseRecords();
        neighbour.loseRecords();
        broken.setAnswering(false);

        for (TestDesktop desktop : List.of(broken, neighbour)) {
            hive.submit(
                    QueenRequest.newBuilder().setRegister(desktop.register()).build(), desktop);
        }
        hive.advance(A_SECOND.multipliedBy(20));

        assertThat(neighbour.records().keySet()).isEqualTo(writer.records().keySet());
        assertThat(broken.records()).isEmpty();
        writer.registered().ok(Ask.mkdir(Namespace.ROOT, "later", 0755));
        broken.setAnswering(true);
        hive.advance(A_SECOND.multipliedBy(60));
        assertCatalogsAgree();
    }

    private void makeMoreThanAScanTakesUp(TestDesktop writer) {
        for (int i = 0; i < Feed.MAX_WAITING / 2 + 10_000; i++) {
            writer.ok(Ask.mkdir(Namespace.ROOT, "d" + i, 0755));
        }
        hive.advance(A_SECOND.multipliedBy(20));
    }

    @Test
    void shouldRememberThatAFileIsGoneForADesktopThatHasDroppedItsReplicaAndNotForgottenTheRecord() {
        TestDesktop writer = desktop("writer");
        TestDesktop second = desktop("second");
        long file = dropOn(second, writer);
        second.disconnect();
        hive.advance(Duration.ofSeconds(6)); // so that it holds no leases any more

        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        hive.advance(A_SECOND.multipliedBy(3));

        assertThat(writer.records().get(file))
                .as("a recovery with the other catalog must not bring it back")
                .matches(Record::getRemoved);
        second.registered();
        hive.advance(A_SECOND.multipliedBy(3));
        assertThat(second.records()).doesNotContainKey(file);
        assertCatalogsAgree();
        assertThat(hive.queenBee().state().honeycombs().errandQueues().pendingDrops())
                .isZero();
    }

    /** The number of a file of which a desktop has just removed its replica, and still has the record. */
    private long dropOn(TestDesktop second, TestDesktop writer) {
        writer.ok(Ask.setXattr(Namespace.ROOT, "beefs.time_to_coherence", "1s"));
        long handle = writer.newHandle();
        long file = writer.ok(Ask.create(Namespace.ROOT, "f", 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(
                file,
                handle,
                writer.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1))));
        hive.advance(SETTLING);
        assertThat(second.records()).containsKey(file);
        writer.ok(Ask.setXattr(file, "beefs.replicas", "1"));
        assertThat(second.received()).anyMatch(DesktopRequest::hasDrop);
        assertThat(second.records()).containsKey(file);
        return file;
    }

    @Test
    void shouldHaveARecordForgottenAlsoWhenTheQueenBeeDiesBeforeSheHasToldSo() {
        TestDesktop writer = desktop("writer");
        TestDesktop second = desktop("second");
        long file = dropOn(second, writer);

        hive.restart();
        desktops.forEach(TestDesktop::registered);
        hive.advance(A_SECOND.multipliedBy(3));

        assertThat(second.records()).doesNotContainKey(file);
        assertCatalogsAgree();
        assertThat(hive.queenBee().state().honeycombs().errandQueues().pendingDrops())
                .isZero();
    }

    @Test
    void shouldNotOverwriteTheRecordsOfAnotherHive() {
        Register.Builder register = new TestDesktop(hive, "desk").register();
        register.getHoneycombBuilder()
                .setRecords(RecordsState.newBuilder()
                        .setHive(TestDesktop.uuid("another hive"))
                        .setComplete(5));
        assertThat(new TestDesktop(hive, "desk").fails(QueenRequest.newBuilder().setRegister(register)))
                .isEqualTo(Errno.ESTALE);
    }
}
