package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica that is to leave waits for what takes its place, also when that cannot be made yet. */
class LateReplacementTest extends LeavingReplicasTest {
    /** So that {@link org.beefs.queenbee.replication.fetch.BackgroundFetches} lets the fewest wait for each. */
    private static final int DESKTOPS = 64;

    /** More than wait for one desktop, and are copied there at a time. */
    private static final int FILES = 1200;

    private static final Duration UNTIL_FENCED =
            CONFIG.lease().plus(CONFIG.fenceMargin()).multipliedBy(3);

    @BeforeEach
    void haveTwoReplicas() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "2"));
    }

    @Test
    void shouldKeepWhatLeavesWhileTheOnlyOtherPlaceIsPaused() {
        long inode = createCopied(1).getFirst();
        TestDesktop holder = secondaryOf(inode);
        TestDesktop free = other(holder);
        free.setPaused(Duration.ofHours(1));
        hive.advance(awake, CONFIG.heartbeat());

        writer.ok(Ask.drain(holder.name(), false));
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(inode)).containsExactly("writer", holder.name());
        assertThat(drain(holder.name()).getReplicas()).isEqualTo(1);
        assertThat(drain(holder.name()).getStuck()).isZero();
        free.setPaused(Duration.ZERO);
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).containsExactly("writer", free.name());
        assertThat(holder.dropped()).containsExactly(inode);
    }

    @Test
    void shouldKeepWhatLeavesWhileNoMoreMayWaitForTheOnlyOtherPlace() {
        third.setAvailable(0);
        for (int i = 0; i < DESKTOPS; i++) {
            TestDesktop full = new TestDesktop(hive, "full" + i);
            full.setAvailable(0);
            awake.add(full.registered());
        }
        hive.advance(awake, CONFIG.heartbeat());
        List<Long> inodes = createCopied(FILES);
        TestDesktop target = come("target");
        target.holdAnswers();

        writer.ok(Ask.drain("second", false));
        hive.advance(awake, A_WHILE);

        assertThat(inodes)
                .allSatisfy(inode -> assertThat(isCurrentIn(inode, second)).isTrue());
        target.answerHeld();
        hive.advance(awake, A_WHILE.multipliedBy(2));
        assertThat(inodes).allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("writer", "target"));
        assertThat(drain("second").getReplicas()).isZero();
    }

    @Test
    void shouldLetAReplicaGoForWhoWaitsToWriteThoughTheOnlyOtherPlaceIsPaused() {
        third.setPaused(Duration.ofHours(1));
        hive.advance(awake, CONFIG.heartbeat());
        long inode = createCopied(1).getFirst();
        long open = createOpen();

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(3));

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isFalse();
        assertThat(desktopsOf(inode)).containsExactly("second");
    }

    /** What is far more than he needs is chosen with it, to bring the disk above its high-water mark. */
    @Test
    void shouldLetNoMoreGoForWhoWaitsToWriteThanHeNeeds() {
        third.setPaused(Duration.ofHours(1));
        hive.advance(awake, CONFIG.heartbeat());
        List<Long> inodes = createCopied(200);
        long open = createOpen();
        writer.setSpace(4096 * MIB, 4096 * MIB);
        writer.holdAnswers();

        makeRoom(open, MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));

        assertThat(inodes.stream().filter(inode -> !desktopsOf(inode).contains("writer")))
                .hasSizeBetween(1, 66);
    }

    @Test
    void shouldKeepWhatADrainTakesAwayThoughSomebodyWaitsToWriteThere() {
        third.setPaused(Duration.ofHours(1));
        hive.advance(awake, CONFIG.heartbeat());
        List<Long> inodes = createCopied(20);
        long open = createOpen();
        writer.ok(Ask.drain("writer", false));

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        hive.advance(awake, A_WHILE);

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isTrue();
        assertThat(inodes)
                .allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "second"));
    }

    @Test
    void shouldNotWaitForEverForTheOnlyOtherPlaceWhenItsDiskTakesNothing() {
        long inode = createCopied(1).getFirst();
        TestDesktop holder = secondaryOf(inode);
        other(holder)
                .setFetched(fetch -> Fetched.newBuilder()
                        .setFailure(new PosixException(Errno.ENOSPC, "no room for its metadata").toFailure())
                        .build());

        writer.ok(Ask.drain(holder.name(), false));
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).contains("writer", holder.name());
        hive.advance(awake, Duration.ofMinutes(20));

        assertThat(desktopsOf(inode)).doesNotContain(holder.name());
        assertThat(drain(holder.name()).getReplicas()).isZero();
    }

    @Test
    void shouldTakeNothingFromADiskThatHasBecomeReadOnlyThoughNobodyElseHasRoom() {
        third.setAvailable(0);
        hive.advance(awake, CONFIG.heartbeat());
        List<Long> inodes = createCopied(20);

        second.setAvailable(0);
        writer.setSpace(100 * MIB, 20 * MIB);
        writer.becomeReadOnly();
        hive.advance(awake, A_WHILE);

        assertThat(inodes).allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("writer", "second"));
        assertThat(second.dropped()).isEmpty();
        assertThat(writer.dropped()).isEmpty();
    }

    @Test
    void shouldKeepWhatWasChosenToMakeRoomWhenTheDiskBecomesReadOnly() {
        third.setPaused(Duration.ofHours(1));
        second.holdAnswers();
        hive.advance(awake, CONFIG.heartbeat());
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "1"));
        long inode = createCopied(1).getFirst();
        writer.setSpace(100 * MIB, 96 * MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(3));
        assertThat(desktopsOf(inode)).containsExactly("writer", "second");

        writer.becomeReadOnly();
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(3));
        second.answerHeld();
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(inode)).startsWith("writer");
        assertThat(writer.dropped()).isEmpty();
    }

    @Test
    void shouldRefuseAtOnceToMakeRoomOnADiskThatHasBecomeReadOnly() {
        long open = createOpen();
        writer.setSpace(100 * MIB, 20 * MIB);
        writer.becomeReadOnly();
        hive.advance(awake, CONFIG.heartbeat());

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isTrue();
    }

    @Test
    void shouldKeepWhatMakesRoomWhileTheOnlyOtherPlaceIsPaused() {
        third.setPaused(Duration.ofHours(1));
        hive.advance(awake, CONFIG.heartbeat());
        List<Long> inodes = createCopied(20);

        writer.setSpace(100 * MIB, 96 * MIB);
        hive.advance(awake, A_WHILE);

        assertThat(inodes).allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("writer", "second"));
    }

    @Test
    void shouldChooseAnotherPlaceWhenADesktopHasGoneThatHasNothingOfTheFile() {
        second.holdAnswers();
        third.holdAnswers();
        long inode = createCopied(1).getFirst();
        TestDesktop gone = secondaryOf(inode);
        TestDesktop free = other(gone);
        go(gone);
        free.answerHeld();

        hive.advance(awake, UNTIL_FENCED);

        assertThat(desktopsOf(inode)).containsExactly("writer", free.name());
        assertThat(isCurrentIn(inode, free)).isTrue();
        assertThat(status().getUnderReplicated()).isZero();
    }

    @Test
    void shouldKeepWhatLeavesWhileADesktopThatHasNothingOfTheFileIsAway() {
        long inode = createCopied(1).getFirst();
        TestDesktop holder = secondaryOf(inode);
        TestDesktop gone = other(holder);
        gone.holdAnswers();
        TestDesktop fourth = come("fourth");
        fourth.setPaused(Duration.ofHours(1));
        hive.advance(awake, CONFIG.heartbeat());
        writer.ok(Ask.drain(holder.name(), false));
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).contains(gone.name());
        go(gone);

        hive.advance(awake, UNTIL_FENCED);

        assertThat(isCurrentIn(inode, holder)).isTrue();
        assertThat(holder.dropped()).isEmpty();
        fourth.setPaused(Duration.ZERO);
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).containsExactly("writer", "fourth");
        assertThat(holder.dropped()).containsExactly(inode);
    }

    @Test
    void shouldStillCountADesktopThatIsAwayWithAnOldVersion() {
        long inode = createCopied(1).getFirst();
        TestDesktop holder = secondaryOf(inode);
        go(holder);

        writer.ok(Ask.release(inode, writer.openToWrite(inode), written(inode, 2)));
        hive.advance(awake, UNTIL_FENCED);

        assertThat(desktopsOf(inode)).containsExactly("writer", holder.name());
    }

    private TestDesktop secondaryOf(long inode) {
        return desktopsOf(inode).contains("second") ? second : third;
    }

    private TestDesktop other(TestDesktop desktop) {
        return desktop == second ? third : second;
    }

    private boolean isCurrentIn(long inode, TestDesktop desktop) {
        return hive.inode(inode).secondaries().isCurrent(hive.number(desktop.name()));
    }
}
