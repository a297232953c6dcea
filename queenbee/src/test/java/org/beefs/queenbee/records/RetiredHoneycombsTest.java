package org.beefs.queenbee.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.DrainReport;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.CatalogCheck;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.RandomWalk;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of directories outlive the desktops that had them when they were made. */
class RetiredHoneycombsTest {
    private static final int DIRECTORIES = 200;
    private static final Duration A_MOMENT = Duration.ofSeconds(2);

    /** Until who went holds no leases any more. */
    private static final Duration SILENCE = Duration.ofSeconds(6);

    private final TestHive hive = new TestHive(new MemoryStateStore());
    private final TestDesktop tool = new TestDesktop(hive, "tool");

    /** By the numbers of their honeycombs, also those that are away. */
    private final Map<Integer, TestDesktop> desktops = new LinkedHashMap<>();

    private final Set<TestDesktop> awake = new LinkedHashSet<>();

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name);
        come(desktop);
        return desktop;
    }

    private void come(TestDesktop desktop) {
        desktop.registered();
        keep(desktop);
    }

    private void keep(TestDesktop desktop) {
        desktops.put(served(desktop).number(), desktop);
        awake.add(desktop);
        hive.advance(awake, A_MOMENT);
    }

    private Honeycomb served(TestDesktop desktop) {
        return hive.queenBee().state().honeycombs().lastOn(desktop.name());
    }

    private TestDesktop numbered(int honeycomb) {
        return Objects.requireNonNull(desktops.get(honeycomb));
    }

    /** A desktop has an empty folder now; what it had before is gone. */
    private TestDesktop reinstall(String name, int times) {
        TestDesktop again = new TestDesktop(hive, name, 1 + times, 1);
        ByteString folder = TestDesktop.uuid("%d %s".formatted(times, name));
        Register.Builder register = again.register();
        register.getHoneycombBuilder().setUuid(folder);
        again.register(register);
        again.inventoried();
        keep(again);
        return again;
    }

    private void go(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.disconnect();
        hive.advance(awake, SILENCE);
    }

    private void declareLost(String desktop) {
        tool.ok(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop)));
        hive.advance(awake, A_MOMENT);
    }

    private void restart() {
        hive.restart();
        awake.forEach(TestDesktop::registered);
        hive.advance(awake, SILENCE);
    }

    private void makeDirectories(TestDesktop desktop) {
        for (int i = 0; i < DIRECTORIES; i++) {
            desktop.ok(Ask.mkdir(Namespace.ROOT, "d" + i, 0755));
        }
        hive.advance(awake, A_MOMENT);
    }

    /** Catalogs of those that are awake are right, and have all. */
    private void assertCatalogsAgree() {
        Map<Integer, List<Record>> catalogs = desktops.entrySet().stream()
                .filter(desktop -> awake.contains(desktop.getValue()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        desktop -> desktop.getValue().records().values().stream()
                                .filter(record -> !record.getRemoved())
                                .toList()));
        assertThat(CatalogCheck.differences(hive.queenBee().state(), catalogs)).isEmpty();
    }

    private DrainReport drain(String desktop) {
        return tool.ok(Ask.status()).getHiveReport().getDesktopsList().stream()
                .filter(report -> report.getDesktop().equals(desktop))
                .findFirst()
                .orElseThrow()
                .getDrain();
    }

    @Test
    void shouldTellNewDesktopsWhatOnlyLostOnesHad() {
        List<TestDesktop> first = List.of(come("one"), come("two"), come("three"));
        makeDirectories(first.getFirst());
        first.forEach(this::go);
        first.forEach(desktop -> declareLost(desktop.name()));

        come("four");
        come("five");
        come("six");

        assertCatalogsAgree();
    }

    @Test
    void shouldTellDesktopsThatAreThereWhatOnlyLostOnesHad() {
        List<TestDesktop> first = List.of(come("one"), come("two"), come("three"));
        come("four");
        come("five");
        makeDirectories(first.getFirst());
        first.forEach(this::go);

        first.forEach(desktop -> declareLost(desktop.name()));

        assertCatalogsAgree();
        restart();
        makeMoreDirectories();
        assertCatalogsAgree();
    }

    private void makeMoreDirectories() {
        TestDesktop writer = awake.iterator().next();
        for (int i = 0; i < DIRECTORIES; i++) {
            writer.ok(Ask.mkdir(Namespace.ROOT, "more" + i, 0755));
        }
        hive.advance(awake, A_MOMENT);
    }

    @Test
    void shouldTellWhoWasAsleepWhenOthersWereLost() {
        List<TestDesktop> first = List.of(come("one"), come("two"), come("three"));
        TestDesktop asleep = come("asleep");
        makeDirectories(first.getFirst());
        go(asleep);
        first.forEach(this::go);
        first.forEach(desktop -> declareLost(desktop.name()));

        come(asleep);

        assertCatalogsAgree();
    }

    @Test
    void shouldTellWhoWasAsleepWhatForgottenDesktopsHad() {
        List<TestDesktop> first = List.of(come("one"), come("two"), come("three"));
        TestDesktop asleep = come("asleep");
        come("awake");
        makeDirectories(first.getFirst());
        go(asleep);
        first.forEach(this::go);
        first.forEach(desktop -> declareLost(desktop.name()));
        hive.advance(awake, TestConfig.usual().lease());
        first.forEach(desktop -> tool.ok(Ask.forget(desktop.name())));

        come(asleep);

        assertCatalogsAgree();
    }

    /** A recovery would not believe its catalog any more. */
    @Test
    void shouldForgetNobodyWhoseRecordsNobodyIsThereToTakeOver() {
        TestDesktop first = come("one");
        TestDesktop second = come("two");
        makeDirectories(first);
        go(second);
        go(first);
        declareLost("one");
        hive.advance(awake, TestConfig.usual().lease());

        assertThat(tool.send(Ask.forget("one").build()).getFailure().getReason())
                .contains("yet to be told");

        come(second);
        hive.advance(awake, SILENCE);
        tool.ok(Ask.forget("one"));
        assertCatalogsAgree();
    }

    @Test
    void shouldTellOthersBeforeADrainedDesktopCanBeSwitchedOff() {
        List<TestDesktop> first = List.of(come("one"), come("two"), come("three"));
        TestDesktop slow = come("slow");
        come("five");
        makeDirectories(first.getFirst());
        slow.setAnswering(false);

        first.forEach(desktop -> tool.ok(Ask.drain(desktop.name(), false)));
        hive.advance(awake, A_MOMENT);
        assertThat(drain("one").getPendingRecords()).isOne();

        slow.setAnswering(true);
        hive.advance(awake, SILENCE);
        assertThat(drain("one").getPendingRecords()).isZero();
        first.forEach(this::go);
        assertCatalogsAgree();
    }

    /** Somebody may be on his way to switch it off. */
    @Test
    void shouldStayDrainedWhileAnotherDesktopLearnsItsRecords() {
        TestDesktop first = come("one");
        come("two");
        makeDirectories(first);
        tool.ok(Ask.drain("one", false));
        hive.advance(awake, SILENCE);
        assertThat(drain("one").getPendingRecords()).isZero();

        TestDesktop late = new TestDesktop(hive, "late");
        late.setAnswering(false);
        come(late);

        assertThat(drain("one").getPendingRecords()).isZero();
        late.setAnswering(true);
        hive.advance(awake, SILENCE);
        assertCatalogsAgree();
    }

    @Test
    void shouldStayDrainedWhenItsDesktopWasTheNewest() {
        come("one");
        TestDesktop newest = come("two");
        makeDirectories(newest);
        tool.ok(Ask.drain("two", false));
        hive.advance(awake, SILENCE);
        assertThat(drain("two").getPendingRecords()).isZero();

        TestDesktop late = new TestDesktop(hive, "late");
        late.setAnswering(false);
        come(late);

        assertThat(drain("two").getPendingRecords()).isZero();
    }

    @Test
    void shouldStillWaitForRecordsThatNobodyWasThereToTakeOver() {
        TestDesktop first = come("one");
        TestDesktop second = come("two");
        makeDirectories(first);
        go(second);
        hive.advance(awake, SILENCE);
        tool.ok(Ask.drain("one", false));
        hive.advance(awake, SILENCE);
        assertThat(drain("one").getPendingRecords())
                .as("who might take them is away")
                .isZero();

        second.setAnswering(false);
        come(second);

        assertThat(drain("one").getPendingRecords()).isPositive();
        second.setAnswering(true);
        hive.advance(awake, SILENCE);
        assertThat(drain("one").getPendingRecords()).isZero();
    }

    @Test
    void shouldTellOthersWhatWasInTheFoldersOfDesktopsThatWereReinstalled() {
        List<String> names = List.of("one", "two", "three", "four", "five");
        names.forEach(this::come);
        makeDirectories(awake.iterator().next());
        for (int times = 1; times <= 3; times++) {
            for (String name : names) {
                awake.stream()
                        .filter(desktop -> desktop.name().equals(name))
                        .toList()
                        .forEach(this::go);
                reinstall(name, times);
            }
            hive.advance(awake, TestConfig.LONGER_THAN_THE_GRACE_TIME);
            assertCatalogsAgree();
        }
    }

    @Test
    void shouldHaveNobodyKeepMoreWhenDesktopsAreAwayForAWeekend() {
        for (String name : List.of("one", "two", "three", "four", "five", "six")) {
            come(name);
        }
        TestDesktop staying = numbered(6);
        makeDirectories(staying);
        Set<Long> before = Set.copyOf(staying.records().keySet());
        List.copyOf(awake).stream().filter(desktop -> desktop != staying).forEach(this::go);

        hive.advance(awake, TestConfig.LONGER_THAN_THE_GRACE_TIME);

        assertThat(staying.records().keySet()).isEqualTo(before);
    }

    @Test
    void shouldNotWaitForLostDesktopsWhereTheyNeverHadARecord() {
        for (String name : List.of("one", "two", "three", "four", "five", "six", "seven", "eight")) {
            come(name);
        }
        TestDesktop writer = numbered(1);
        TestDesktop eighth = numbered(8);
        makeDirectories(writer);
        Set<Long> had = Set.copyOf(eighth.records().keySet());
        go(eighth);
        declareLost("eight");
        for (int number = 7; number > 1; number--) {
            go(numbered(number));
            declareLost(numbered(number).name());
        }

        for (int i = 0; i < DIRECTORIES; i++) {
            writer.ok(Ask.rmdir(Namespace.ROOT, "d" + i));
        }
        hive.advance(awake, A_MOMENT);
        for (int number = 2; number <= 7; number++) {
            come(numbered(number));
        }
        hive.advance(awake, SILENCE);

        assertThat(hive.queenBee().state().records().tombstones())
                .as("for the eighth")
                .isEqualTo((int)
                        had.stream().filter(inode -> inode > Namespace.ROOT).count());
    }

    /** If nobody counts on it any more. */
    private void loseAndForget(TestDesktop desktop) {
        declareLost(desktop.name());
        hive.advance(awake, TestConfig.usual().lease());
        QueenReply reply = tool.send(Ask.forget(desktop.name()).build());
        if (!reply.hasFailure()) {
            desktops.values().remove(desktop);
        }
    }

    /** Who has been given a record keeps hearing of it, whatever becomes of others. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldLeaveNothingOutdatedWhereverRecordsHaveBeen(long seed) {
        Random random = new Random(seed);
        TestDesktop writer = come("writer");
        RandomWalk walk = new RandomWalk(writer, random);
        for (int round = 0; round < 60; round++) {
            List<TestDesktop> others = desktops.values().stream()
                    .filter(desktop -> desktop != writer)
                    .toList();
            TestDesktop some = others.isEmpty() ? null : others.get(random.nextInt(others.size()));
            if (some == null || (random.nextInt(3) == 0 && others.size() < 12)) {
                come("desk" + round);
            } else if (!awake.contains(some)) {
                switch (random.nextInt(3)) {
                    case 0 -> declareLost(some.name());
                    case 1 -> loseAndForget(some);
                    default -> come(some);
                }
            } else if (random.nextInt(4) == 0) {
                tool.ok(Ask.drain(some.name(), random.nextBoolean()));
            } else {
                go(some);
            }
            if (random.nextInt(8) == 0) {
                restart();
            }
            walk.steps(20);
            hive.advance(awake, A_MOMENT);
        }
        desktops.values().stream().filter(desktop -> !awake.contains(desktop)).forEach(this::come);
        for (int i = 0; i < 3; i++) {
            awake.forEach(TestDesktop::registered);
            hive.advance(awake, Duration.ofSeconds(15));
        }

        assertCatalogsAgree();
        assertThat(hive.queenBee().state().records().tombstones()).isZero();
    }
}
