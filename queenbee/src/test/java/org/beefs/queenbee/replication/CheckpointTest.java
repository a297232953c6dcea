package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Versions of files that stay open for writing. */
class CheckpointTest {
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));

    /** Until a file that was opened at the beginning has had its first turn. */
    private static final Duration FIRST_TURN =
            CONFIG.checkpointDistance().plus(CONFIG.heartbeat().multipliedBy(2));

    private static final long HANDLE = 1000;

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> desktops = new ArrayList<>();
    private final TestDesktop writer = come("writer");
    private final TestDesktop second = come("second");
    private final TestDesktop third = come("third");

    /** What the primary replica shows whenever a copy of it begins. */
    private ReplicaStatus shown = ReplicaStatus.getDefaultInstance();

    private Fetched checkpointFails = Fetched.getDefaultInstance();

    @BeforeEach
    void copyWhatIsShown() {
        second.setFetched(this::copied);
        third.setFetched(this::copied);
    }

    @Test
    void shouldGiveAFileThatStaysOpenAVersionOnOtherDesktops() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        hive.advance(desktops, FIRST_TURN.minus(CONFIG.heartbeat().multipliedBy(4)));
        assertThat(hive.inode(inode).version()).isZero();

        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(4));

        assertThat(hive.inode(inode).dirty()).isTrue();
        assertThat(hive.inode(inode).version()).isNotZero();
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        assertThat(checkpoints()).hasSize(1);
    }

    @Test
    void shouldLetOtherSecondariesCopyTheFirst() {
        createCheckpointed();

        TestDesktop first = fetches(second).getFirst().getCheckpoint() ? second : third;
        Fetch spread = fetches(first == second ? third : second).getFirst();
        assertThat(spread.getCheckpoint()).isFalse();
        assertThat(spread.getSourcesList()).extracting(ReplicaPlace::getDesktop).startsWith(first.name());
    }

    @Test
    void shouldNotServeSecondariesOfWhatSomebodyWrites() {
        long inode = createCheckpointed();
        assertThat(third.ok(Ask.open(inode, 1, true, false))
                        .getNode()
                        .getLayout()
                        .getSecondariesList())
                .isEmpty();
    }

    /** Sizes are unsigned on the wire. */
    @Test
    void shouldMakeNoVersionOfAnImpossibleSize() {
        long inode = createOpen();
        shown = Ask.written(inode, 7).toBuilder().setSize(-1).build();

        hive.advance(desktops, FIRST_TURN);

        assertThat(checkpoints()).isNotEmpty();
        assertThat(hive.inode(inode).version()).isZero();
    }

    @Test
    void shouldMakeNoVersionOfWhatWasNotChangedSince() {
        long inode = createCheckpointed();
        long version = hive.inode(inode).version();
        hive.advance(desktops, FIRST_TURN);
        assertThat(hive.inode(inode).version()).isEqualTo(version);

        shown = Ask.written(inode, 8);
        hive.advance(desktops, FIRST_TURN);
        assertThat(hive.inode(inode).version()).isGreaterThan(version);
    }

    @Test
    void shouldKeepTheTimesOfAFileThatIsOpenAndWasNotWritten() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        writer.ok(Ask.release(inode, HANDLE, shown));
        writer.ok(Ask.change(SetAttributes.newBuilder()
                .setInode(inode)
                .setHandle(HANDLE + 2)
                .setMtime(Timestamp.newBuilder().setSeconds(1000))));
        writer.ok(Ask.open(inode, HANDLE + 1, false, true));

        hive.advance(desktops, FIRST_TURN);

        assertThat(checkpoints()).isNotEmpty();
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        assertThat(hive.inode(inode).mtime())
                .isEqualTo(PackedTime.of(Timestamp.newBuilder().setSeconds(1000).build()));
    }

    @Test
    void shouldTakeTheCheckpointForTheNewestVersionWhenNothingIsChangedAfterIt() {
        long inode = createCheckpointed();
        long version = hive.inode(inode).version();

        writer.ok(Ask.release(inode, HANDLE, shown));

        assertThat(hive.inode(inode).dirty()).isFalse();
        assertThat(hive.inode(inode).version()).isEqualTo(version);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldNeverGiveTheNumberOfACopyThatDidNotCountToAnotherContent() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        second.holdAnswers();
        third.holdAnswers();
        hive.advance(desktops, FIRST_TURN);
        long number = checkpoints().getFirst().getVersion();

        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));
        second.answerHeld();
        third.answerHeld();

        assertThat(hive.inode(inode).version()).isGreaterThan(number);
        assertThat(hive.inode(inode).size()).isEqualTo(9);
    }

    @Test
    void shouldTryAgainSoonerThanInTheNextTurnWhatIsBeingChanged() {
        long inode = createOpen();
        checkpointFails = failure(Errno.EAGAIN);
        hive.advance(desktops, FIRST_TURN.plusMinutes(2));
        assertThat(checkpoints()).hasSizeBetween(3, 12);
        assertThat(hive.queenBee().state().replication().checkpoints().lag())
                .isGreaterThan(CONFIG.checkpointDistance());

        checkpointFails = Fetched.getDefaultInstance();
        shown = Ask.written(inode, 7);
        hive.advance(desktops, Duration.ofMinutes(2));
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        assertThat(hive.queenBee().state().replication().checkpoints().lag()).isLessThan(Duration.ofMinutes(2));
    }

    @Test
    void shouldGoOnWithTheLastCheckpointWhenTheWritersDesktopIsDeclaredLost() {
        long inode = createCheckpointed();
        long version = hive.inode(inode).version();

        desktops.remove(writer);
        writer.disconnect();
        second.ok(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop("writer")));
        hive.advance(desktops, CONFIG.lease().multipliedBy(3));

        assertThat(hive.inode(inode).dirty()).isFalse();
        assertThat(hive.inode(inode).version()).isEqualTo(version);
        assertThat(hive.inode(inode).honeycomb()).isNotEqualTo(1);
    }

    @Test
    void shouldMakeAnotherCheckpointAfterARestartInBetween() {
        long inode = createCheckpointed();
        long version = hive.inode(inode).version();
        hive.restart();
        desktops.forEach(desktop -> desktop.register(desktop.register()));
        writer.ok(Ask.open(inode, HANDLE, false, true));

        shown = Ask.written(inode, 8);
        hive.advance(desktops, FIRST_TURN);

        assertThat(hive.inode(inode).version()).isGreaterThan(version);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldNotEndACheckpointByAnotherDesktopsCopyOfTheOneBefore() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        second.holdAnswers();
        third.holdAnswers();
        hive.advance(desktops, FIRST_TURN);
        TestDesktop first = fetches(second).isEmpty() ? third : second;
        TestDesktop late = first == second ? third : second;
        first.answerHeld();
        long version = hive.inode(inode).version();
        assertThat(fetches(late)).hasSize(1);

        shown = Ask.written(inode, 8);
        first.holdAnswers();
        hive.advance(desktops, FIRST_TURN);
        assertThat(fetches(first).getLast().getCheckpoint()).isTrue();
        late.answerHeld();
        assertThat(hive.queenBee().state().replication().checkpoints().lag())
                .as("what was written since is nowhere else yet")
                .isGreaterThan(CONFIG.checkpointDistance());
        first.answerHeld();

        assertThat(hive.inode(inode).version()).isGreaterThan(version);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldInstallACheckpointBeforeItMakesAnother() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        TestDesktop keeper = keepACheckpoint();
        long version = hive.inode(inode).version();

        shown = Ask.written(inode, 8);
        hive.advance(desktops, FIRST_TURN);
        comeBack(keeper);

        assertThat(fetches(keeper).getLast().getVersion()).isEqualTo(version);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        hive.advance(desktops, FIRST_TURN);
        assertThat(hive.inode(inode).version()).isGreaterThan(version);
    }

    @Test
    void shouldMakeAnotherCheckpointWhenTheOneThatWasKeptIsNotThereAnyMore() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        TestDesktop keeper = keepACheckpoint();
        long version = hive.inode(inode).version();
        keeper.setFetched(fetch -> fetch.getCheckpoint() ? copied(fetch) : failure(Errno.ESTALE));

        comeBack(keeper);
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));

        assertThat(fetches(keeper)).filteredOn(Fetch::getCheckpoint).hasSize(2);
        assertThat(hive.inode(inode).version()).isGreaterThan(version);
    }

    @Test
    void shouldGoOnWithACheckpointThatWasNotInstalledYetWhenTheWritersDesktopIsDeclaredLost() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        TestDesktop keeper = keepACheckpoint();
        long version = hive.inode(inode).version();

        lose(writer);
        comeBack(keeper);
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));

        assertThat(hive.inode(inode).dirty()).isFalse();
        assertThat(hive.inode(inode).version()).isEqualTo(version);
        assertThat(hive.inode(inode).honeycomb()).isNotEqualTo(1);
    }

    /** A honeycomb does not even look at what it has itself when none of the sources that are named can be reached. */
    @Test
    void shouldInstallWhatIsKeptWhenItsDesktopDoesNotReachTheWriters() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        TestDesktop keeper = keepACheckpoint();
        long version = hive.inode(inode).version();
        keeper.setFetched(fetch -> isFrom(writer, fetch) ? unreachable() : copied(fetch));

        lose(writer);
        comeBack(keeper);
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));

        assertThat(hive.inode(inode).version()).isEqualTo(version);
        assertThat(hive.inode(inode).honeycomb()).isEqualTo(hive.number(keeper.name()));
    }

    @Test
    void shouldGoBackToTheCheckpointBeforeWhenTheLastOneIsLostBeforeItIsInstalled() {
        long inode = createCheckpointed();
        long version = hive.inode(inode).version();
        shown = Ask.written(inode, 8);
        TestDesktop keeper = keepACheckpoint();
        long lost = hive.inode(inode).version();
        assertThat(lost).isGreaterThan(version);

        keeper.setAnswering(false);
        comeBack(keeper);
        lose(keeper);
        lose(writer);

        assertThat(hive.inode(inode).version()).isEqualTo(version);
        assertThat(hive.inode(inode).size()).isEqualTo(7);
        assertThat(hive.inode(inode).honeycomb()).isNotEqualTo(1);
    }

    @Test
    void shouldHaveNoMoreCheckpointsKeptThanAHoneycombKeeps() {
        List<TestDesktop> copying = List.of(second, third);
        for (int i = 0; i < 150; i++) {
            writer.ok(Ask.create(Namespace.ROOT, "f" + i, 0644, HANDLE + i));
        }
        shown = Ask.written(1, 7);
        copying.forEach(TestDesktop::holdAnswers);
        hive.advance(desktops, FIRST_TURN);
        copying.forEach(TestDesktop::answerHeld);
        hive.advance(desktops, CONFIG.heartbeat().multipliedBy(2));

        assertThat(checkpoints()).hasSize(150);
        for (TestDesktop desktop : copying) {
            Set<Long> kept = new HashSet<>();
            for (Fetch fetch : fetches(desktop)) {
                if (fetch.getCheckpoint()) {
                    kept.add(fetch.getReplica().getInode());
                } else {
                    kept.remove(fetch.getReplica().getInode());
                }
                assertThat(kept).hasSizeLessThanOrEqualTo(64);
            }
        }
    }

    @Test
    void shouldAskAgainWhenADesktopDoesNotSayWhatItHasCopied() {
        second.setFetched(_ -> Fetched.newBuilder().setComplete(true).build());
        third.setFetched(_ -> Fetched.newBuilder().setComplete(true).build());
        long inode = createOpen();
        hive.advance(desktops, FIRST_TURN.plusMinutes(2));
        assertThat(checkpoints()).hasSizeGreaterThan(1);
        assertThat(hive.inode(inode).version()).isZero();

        copyWhatIsShown();
        shown = Ask.written(inode, 7);
        hive.advance(desktops, Duration.ofMinutes(5));

        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    @Test
    void shouldTakeACheckpointThatNobodyAskedForAsACopy() {
        createOpen();
        long inode = writer.createWritten("closed", number -> Ask.written(number, 3));
        Fetched both = Fetched.newBuilder()
                .setComplete(true)
                .setCheckpoint(Ask.written(inode, 3))
                .build();
        second.setFetched(fetch -> fetch.getCheckpoint() ? copied(fetch) : both);

        hive.advance(desktops, FIRST_TURN);

        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    /** The desktop that has made a checkpoint, and does not answer whether that is its replica. */
    private TestDesktop keepACheckpoint() {
        for (TestDesktop desktop : List.of(second, third)) {
            desktop.setFetched(fetch -> {
                if (!fetch.getCheckpoint()) {
                    desktop.holdAnswers();
                }
                return copied(fetch);
            });
        }
        int before = checkpoints().size();
        hive.advance(desktops, FIRST_TURN);
        assertThat(checkpoints()).hasSizeGreaterThan(before);
        copyWhatIsShown();
        Fetch last = checkpoints().getLast();
        return fetches(second).contains(last) ? second : third;
    }

    /** What it was asked is not answered any more, and it is asked again. */
    private static void comeBack(TestDesktop desktop) {
        desktop.loseHeld();
        desktop.disconnect();
        desktop.register(desktop.register());
    }

    private void lose(TestDesktop desktop) {
        desktops.remove(desktop);
        desktop.disconnect();
        desktops.getLast()
                .ok(QueenRequest.newBuilder()
                        .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop.name())));
        hive.advance(desktops, CONFIG.lease().multipliedBy(3));
    }

    private Fetched copied(Fetch fetch) {
        if (!fetch.getCheckpoint()) {
            return Fetched.newBuilder().setComplete(true).build();
        }
        if (checkpointFails.hasFailure()) {
            return checkpointFails;
        }
        boolean known = fetch.hasKnownMtime()
                && fetch.getKnownMtime().equals(shown.getMtime())
                && fetch.getSize() == shown.getSize();
        return Fetched.newBuilder().setComplete(!known).setCheckpoint(shown).build();
    }

    private static boolean isFrom(TestDesktop desktop, Fetch fetch) {
        return fetch.getSourcesList().stream()
                .anyMatch(source -> source.getDesktop().equals(desktop.name()));
    }

    private static Fetched unreachable() {
        return failure(Errno.EIO).toBuilder().setUnreachable(true).build();
    }

    private static Fetched failure(Errno errno) {
        return Fetched.newBuilder()
                .setFailure(new PosixException(errno, "made to fail").toFailure())
                .build();
    }

    private List<Fetch> checkpoints() {
        return desktops.stream()
                .flatMap(desktop -> fetches(desktop).stream())
                .filter(Fetch::getCheckpoint)
                .toList();
    }

    private static List<Fetch> fetches(TestDesktop desktop) {
        return desktop.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .toList();
    }

    private TestDesktop come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        desktops.add(desktop);
        return desktop;
    }

    private long createCheckpointed() {
        long inode = createOpen();
        shown = Ask.written(inode, 7);
        hive.advance(desktops, FIRST_TURN);
        return inode;
    }

    private long createOpen() {
        return writer.ok(Ask.create(Namespace.ROOT, "f", 0644, HANDLE))
                .getNode()
                .getAttributes()
                .getInode();
    }
}
