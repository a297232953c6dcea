package org.beefs.queenbee.console.model.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.recovery.DrillFindings;
import org.beefs.queenbee.recovery.DrillGap;
import org.beefs.queenbee.state.CatalogInode;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.RandomWalk;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A drill proves that the namespace can be rebuilt, and tells what is wrong when it cannot, while the hive goes on
 * changing.
 */
class DrillsTest {
    private static final Duration SETTLING = Duration.ofSeconds(3);

    /** It is of a time before the first start of this hive's queen-bee. */
    private static final long CHANGE_OF_OTHERS = 5;

    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();
    private final TestDesktop one = new TestDesktop(hive, "desk1").registered();
    private final TestDesktop two = new TestDesktop(hive, "desk2").registered();
    private ConsoleHive console;

    @BeforeEach
    void open() {
        console = new ConsoleHive(hive, folder);
        console.setCatalog("desk1", () -> ListedRecords.of(one));
        console.setCatalog("desk2", () -> ListedRecords.of(two));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldProveThatTheNamespaceCanBeRebuilt(long seed) {
        Random random = new Random(seed);
        new RandomWalk(one, random).steps(400);
        new RandomWalk(two, random).steps(400);
        hive.advance(SETTLING);

        DrillView drill = drill();

        assertThat(drill.state()).as(drill.toString()).isEqualTo(DrillView.PASSED);
        assertThat(findings(drill).compared())
                .isGreaterThan(10)
                .isEqualTo(findings(drill).there());
        assertThat(findings(drill).changedMeanwhile()).isZero();
        assertThat(drill.summary())
                .matches(
                        "The namespace can be rebuilt: (\\d+) of \\1 files and folders, in \\d+\\.\\d s, from 2 of 2 desktops\\.");
        assertThat(drill.advice()).isNull();
        assertThat(drill.by()).isEqualTo("me");
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8})
    void shouldJudgeOnlyWhatDoesNotChangeMeanwhile(long seed) {
        Random random = new Random(seed);
        RandomWalk walk = new RandomWalk(one, random);
        walk.steps(300);
        hive.advance(SETTLING);
        console.setWhileDrillRests(() -> walk.steps(40));

        DrillView drill = drill();

        assertThat(drill.state()).as(drill.toString()).isEqualTo(DrillView.PASSED);
        assertThat(findings(drill).changedMeanwhile()).isPositive();
        assertThat(drill.summary()).contains("Changed meanwhile and not compared: ");
    }

    @Test
    void shouldEndADrillForWhichNoThreadIsToBeHad() {
        console.setThreads(false);
        assertThat(drill().state()).isEqualTo(DrillView.STOPPED);

        console.setThreads(true);
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
    }

    @Test
    void shouldRestOnlyBetweenLargePartsOfTheNamespace() {
        int files = 10_000;
        for (int i = 0; i < files; i++) {
            console.makeFile("f" + i, 1, 2);
        }
        hive.advance(SETTLING);
        AtomicInteger rests = new AtomicInteger();
        console.setWhileDrillRests(rests::incrementAndGet);

        DrillView drill = drill();

        assertThat(drill.state()).as(drill.toString()).isEqualTo(DrillView.PASSED);
        assertThat(findings(drill).compared()).isGreaterThan(files);
        // The table of inodes has up to four places for each.
        assertThat(rests).hasValueLessThan(4 * files / Drill.PART);
    }

    @Test
    void shouldFailWhenRecordsAreMissingAndHaveThemToldAgain() {
        long file = file(one, Namespace.ROOT, "lost");
        hive.advance(SETTLING);
        one.records().remove(file);

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(drill.summary())
                .startsWith("The namespace cannot be rebuilt completely: 1 of 2")
                .contains("missing: 1");
        assertThat(findings(drill).examples())
                .containsExactly(new DrillGap("/lost", file, "missing", "lost", List.of("desk1")));
        assertThat(attention())
                .singleElement()
                .asString()
                .startsWith("The last drill of a recovery failed. The namespace cannot");
        assertThat(new ConsoleHive(hive, folder).model().drills().view()).isEqualTo(drill);

        hive.advance(SETTLING);
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
        assertThat(attention()).isEmpty();
    }

    @Test
    void shouldFailWhenARecordIsOlder() {
        long file = file(one, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        Record old = Objects.requireNonNull(one.records().get(file));
        one.ok(Ask.chmod(file, 0600));
        hive.advance(SETTLING);
        one.records().put(file, old);

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(findings(drill).gaps()).containsOnlyKeys("older");
    }

    @Test
    void shouldTellWhatWouldBeElsewhereBecauseItsDirectoryIsMissing() {
        long directory = inode(one.ok(Ask.mkdir(Namespace.ROOT, "d", 0755)));
        file(one, directory, "f");
        hive.advance(SETTLING);
        one.records().remove(directory);
        two.records().remove(directory);

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(findings(drill).examples())
                .extracting(DrillGap::path, DrillGap::what)
                .contains(tuple("/d", "missing"), tuple("/d/f", "elsewhere"));
        hive.advance(SETTLING);
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
    }

    @Test
    void shouldTellWhatWouldReturnThoughItWasRemoved() {
        long file = file(one, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        Record record = Objects.requireNonNull(one.records().get(file));
        one.ok(Ask.unlink(Namespace.ROOT, "f"));
        hive.advance(SETTLING);
        one.records().put(file, record);

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(findings(drill).gaps()).containsOnlyKeys("returns");
        hive.advance(SETTLING);
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
    }

    /** Of numbers that desktops were given it is not known which were used, and most files have such. */
    @Test
    void shouldTellAlsoOfWhatDesktopsHaveNumberedWhatWouldReturn() {
        TestDesktop maker = new TestDesktop(hive, "desk3");
        Decided decided = Decided.register(maker);
        console.setCatalog("desk3", () -> ListedRecords.of(maker));
        long directory = decided.number();
        maker.ok(Decided.mkdir(Namespace.ROOT, "d", directory));
        hive.advance(SETTLING);
        TestDesktop holder = List.of(one, two, maker).stream()
                .filter(desktop -> desktop.records().containsKey(directory))
                .findFirst()
                .orElseThrow();
        Record record = Objects.requireNonNull(holder.records().get(directory));
        maker.ok(Decided.rmdir(Namespace.ROOT, "d", directory));
        hive.advance(SETTLING);
        assertThat(hive.queenBee().state().records().tombstones()).isZero();
        holder.records().put(directory, record);

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(findings(drill).gaps()).containsOnlyKeys("returns");
        hive.advance(SETTLING);
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
    }

    /** A recovery went without that desktop, or an older copy of the queen-bee's data was put back. */
    @Test
    void shouldLeaveRecordsAloneThatOnlyAnotherRecoveryFinds() throws IOException {
        long file = file(one, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        Record record = Objects.requireNonNull(one.records().get(file));
        one.ok(Ask.rename(Namespace.ROOT, "f", Namespace.ROOT, "g"));
        hive.advance(SETTLING);
        long never = file + 1000;
        CatalogInode.Builder content = CatalogInode.parseFrom(record.getContent()).toBuilder();
        content.getInodeBuilder().setChanged(CHANGE_OF_OTHERS);
        one.records()
                .put(
                        never,
                        record.toBuilder()
                                .setInode(never)
                                .setContent(content.build().toByteString())
                                .build());

        DrillView drill = drill();

        assertThat(drill.state()).as(drill.toString()).isEqualTo(DrillView.PASSED);
        assertThat(drill.summary()).endsWith(" Unknown to the queen-bee and not compared: 1.");
        assertThat(findings(drill).unknown()).containsExactly("/f");
        hive.advance(SETTLING);
        assertThat(one.records()).containsKey(never);
        assertThat(drill().summary()).contains("Unknown to the queen-bee");
    }

    @Test
    void shouldFailWhenARecordMakesNoSense() {
        long file = file(one, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        Record record = Objects.requireNonNull(one.records().get(file));
        one.records()
                .put(
                        file,
                        record.toBuilder()
                                .setContent(ByteString.copyFromUtf8("rotten"))
                                .build());

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(drill.damaged()).singleElement().asString().contains(Long.toHexString(file), "desk1");
        assertThat(drill.summary()).contains("records that make no sense: 1");
        hive.advance(SETTLING);
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
    }

    @Test
    void shouldNameDesktopsThatAreAwayAndWhatOnlyTheyKnow() {
        file(one, Namespace.ROOT, "mine");
        long theirs = file(two, Namespace.ROOT, "theirs");
        hive.advance(SETTLING);
        two.disconnect();
        hive.run();

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.INCOMPLETE);
        assertThat(drill.summary()).contains("2 of 3 files and folders", "from 1 of 2 desktops", "missing: 1");
        assertThat(drill.advice()).contains("Switch on desk2");
        assertThat(drill.away()).containsExactly("desk2");
        assertThat(findings(drill).examples())
                .containsExactly(new DrillGap("/theirs", theirs, "missing", "away", List.of("desk2")));
        assertThat(attention()).isEmpty();
    }

    @Test
    void shouldBeIncompleteWhenADirectoryIsKnownOnlyToDesktopsThatAreAway() {
        TestDesktop three = new TestDesktop(hive, "desk3").registered();
        TestDesktop four = new TestDesktop(hive, "desk4").registered();
        console.setCatalog("desk3", () -> ListedRecords.of(three));
        console.setCatalog("desk4", () -> ListedRecords.of(four));
        long directory = directoryOfOthers(four);
        file(four, directory, "f");
        hive.advance(SETTLING);
        List.of(one, two, three).forEach(TestDesktop::disconnect);
        hive.run();

        DrillView drill = drill();

        assertThat(drill.state()).as(drill.toString()).isEqualTo(DrillView.INCOMPLETE);
        assertThat(findings(drill).gaps()).containsOnlyKeys("missing", "elsewhere");
    }

    /** A directory of which this desktop is not to have the record. */
    private long directoryOfOthers(TestDesktop desktop) {
        for (int i = 0; ; i++) {
            long directory = inode(one.ok(Ask.mkdir(Namespace.ROOT, "d" + i, 0755)));
            hive.advance(SETTLING);
            if (!desktop.records().containsKey(directory)) {
                return directory;
            }
        }
    }

    @Test
    void shouldPassWithoutADesktopThatWasGivenUp() {
        inode(one.ok(Ask.mkdir(Namespace.ROOT, "d", 0755)));
        file(one, Namespace.ROOT, "mine");
        file(two, Namespace.ROOT, "theirs");
        hive.advance(SETTLING);
        two.disconnect();
        one.ok(QueenRequest.newBuilder().setDeclareLost(DeclareLost.newBuilder().setDesktop("desk2")));
        hive.advance(SETTLING);

        DrillView drill = drill();

        assertThat(drill.state()).as(drill.toString()).isEqualTo(DrillView.PASSED);
        assertThat(drill.summary())
                .contains("3 of 3 files and folders")
                .contains("Only on desktops that were given up and not compared: 1.");
    }

    @Test
    void shouldNameALostDesktopUntilItComesBackOrIsGivenUp() {
        file(two, Namespace.ROOT, "theirs");
        hive.advance(SETTLING);
        two.disconnect();
        hive.advance(TestConfig.LONGER_THAN_THE_GRACE_TIME);
        one.registered();

        assertThat(drill().state()).isEqualTo(DrillView.INCOMPLETE);
        assertThat(attention()).contains("The last drill of a recovery lacked what only lost desktops know: desk2.");

        one.ok(QueenRequest.newBuilder().setDeclareLost(DeclareLost.newBuilder().setDesktop("desk2")));
        hive.advance(SETTLING);
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
        assertThat(attention()).isEmpty();
    }

    @Test
    void shouldTellADesktopThatHasYetToWriteDownWhatItWasTold() {
        hive.advance(SETTLING);
        two.setAnswering(false);
        long file = file(two, Namespace.ROOT, "late");

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(findings(drill).examples())
                .contains(new DrillGap("/late", file, "missing", "late", List.of("desk2")));
        assertThat(drill.advice()).contains("have yet to write down");
    }

    @Test
    void shouldFailWhenADesktopThatIsAwakeCannotBeReached() {
        hive.advance(SETTLING);
        new TestDesktop(hive, "desk3").registered();

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.FAILED);
        assertThat(drill.summary())
                .isEqualTo("The namespace cannot be rebuilt: the honeycomb at desk3:1 cannot be reached.");
        assertThat(drill.advice()).isNotBlank();
    }

    @Test
    void shouldSayNothingOfRecordsWhenADesktopGoesMeanwhile() {
        hive.advance(SETTLING);
        console.setCatalog("desk2", () -> {
            two.disconnect();
            return new ListedRecords(
                    "desk2",
                    ByteString.EMPTY,
                    two.recordsState().toBuilder()
                            .setHive(ByteString.copyFromUtf8("x"))
                            .build(),
                    List.of());
        });

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.STOPPED);
        assertThat(drill.summary()).isEqualTo("The drill has no result: desk2 went away while records were read.");
    }

    @Test
    void shouldStopWhenSomebodyWants() {
        file(one, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        console.setWhileDrillRests(() -> console.model().drills().stop("her"));

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.STOPPED);
        assertThat(drill.summary()).contains("somebody has stopped it");
        assertThat(Thread.interrupted()).isFalse();
        assertThat(console.model().events().newest(null, null, 10))
                .extracting(Event::who, Event::text)
                .containsSequence(
                        tuple("me", "a drill of the recovery has begun"),
                        tuple("her", "the drill of the recovery is stopped"));
        console.setWhileDrillRests(() -> {});
        assertThat(console.model().drills().stop("her")).isEqualTo("no drill is under way");
        assertThat(drill().state()).isEqualTo(DrillView.PASSED);
    }

    @Test
    void shouldRunOneAtATime() {
        AtomicInteger refused = new AtomicInteger();
        console.setWhileDrillRests(() -> {
            assertThatThrownBy(() -> console.model().drills().begin("her"))
                    .isInstanceOf(PosixException.class)
                    .hasMessageContaining("which me has begun");
            refused.incrementAndGet();
        });

        drill();

        assertThat(refused).hasPositiveValue();
    }

    @Test
    void shouldNotEndangerTheQueenBeesMemory() {
        console.setFreeMemory(100);

        DrillView drill = drill();

        assertThat(drill.state()).isEqualTo(DrillView.STOPPED);
        assertThat(drill.summary()).contains("memory");
    }

    @Test
    void shouldNotCompareWithWhatIsBeingRecovered() {
        hive.restartReadOnly();
        assertThatThrownBy(() -> console.model().drills().begin("me"))
                .isInstanceOf(PosixException.class)
                .hasMessageContaining("its recovery has not ended");
    }

    @Test
    void shouldNeedSomebodyToAsk() {
        one.disconnect();
        two.disconnect();
        hive.run();
        assertThat(drill().summary()).contains("no desktop that keeps records is awake");
    }

    private DrillView drill() {
        console.model().drills().begin("me");
        return console.model().drills().view();
    }

    /** What the console says of drills that need some. */
    private List<String> attention() {
        return console.model().refresh().hive().attention().stream()
                .filter(attention -> "drill".equals(attention.action()))
                .map(HiveView.Attention::what)
                .toList();
    }

    private static DrillFindings findings(DrillView drill) {
        return Objects.requireNonNull(drill.findings(), drill::summary);
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }

    private static long file(TestDesktop desktop, long parent, String name) {
        long handle = desktop.newHandle();
        long file = inode(desktop.ok(Ask.create(parent, name, 0644, handle)));
        ReplicaStatus status =
                desktop.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1));
        desktop.ok(Ask.release(file, handle, status));
        return file;
    }
}
