package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestConfig;
import org.junit.jupiter.api.Test;

/** What becomes of who meets a full honeycomb. */
class ReliefTest extends LeavingReplicasTest {
    ReliefTest() {
        super(TestConfig.withFlushInterval(Duration.ofMinutes(1))); // which is longer than anybody waits
    }

    @Test
    void shouldMakeRoomAtOnceForWhoMeetsAFullHoneycomb() {
        List<Long> inodes = createCopied(20);
        long open = createOpen();
        hive.advance(awake, A_WHILE); // it told last that there is room

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        assertThat(room).isNotDone();
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isFalse();
        assertThat(desktopsOf(inodes.getFirst())).containsExactlyInAnyOrder("second", "third");
        assertThat(desktopsOf(open)).startsWith("writer");
    }

    @Test
    void shouldMakeRoomInTimeHoweverLongTheFlushIntervalIs() {
        createCopied(20);
        long open = createOpen();
        hive.advance(awake, A_WHILE);
        hive.holdFlushes();

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        for (int i = 0; i < 3; i++) {
            hive.runFlushes(); // those that were begun
            hive.advance(awake, CONFIG.heartbeat());
        }

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isFalse();
    }

    @Test
    void shouldWaitForWhatWasJustWrittenToLeaveAFullHoneycomb() {
        long open = createOpen();
        long last = create(writer, "last");
        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        assertThat(hive.inode(last).unsealed()).isTrue();

        hive.advance(awake, CONFIG.heartbeat().multipliedBy(3));

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isFalse();
        assertThat(desktopsOf(last)).doesNotContain("writer");
    }

    @Test
    void shouldTellWhoMeetsAFullHoneycombThatNothingCanLeaveIt() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "1"));
        createCopied(2);
        long open = createOpen();
        second.setAvailable(0);
        third.setAvailable(0);
        hive.advance(awake, CONFIG.heartbeat());

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));

        assertThat(Errno.of(room.join().getFailure().getErrno())).isEqualTo(Errno.ENOSPC);
        assertThat(room.join().getFailure().getReason()).contains("writer is full, and nothing can leave it");
    }

    @Test
    void shouldMakeRoomInTimeInALargeHive() {
        List<Long> inodes = createCopied(3);
        for (int i = 0; i < 200_000; i++) {
            hive.submit(writer.numbered(Ask.mknod(ROOT, "fifo" + i, FileMode.FIFO | 0644)), writer);
            if (i % 10_000 == 0) {
                hive.run();
            }
        }
        long open = createOpen();
        hive.advance(awake, A_WHILE);

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));

        assertThat(room).isCompleted();
        assertThat(room.join().hasFailure()).isFalse();
        assertThat(inodes).anySatisfy(inode -> assertThat(desktopsOf(inode)).doesNotContain("writer"));
    }

    @Test
    void shouldNotMakeRoomForWhatNoHoneycombCanHold() {
        List<Long> inodes = createCopied(3);
        long open = createOpen();

        CompletableFuture<QueenReply> room = makeRoom(open, 1L << 60);
        hive.advance(awake, A_WHILE);

        assertThat(Errno.of(room.join().getFailure().getErrno())).isEqualTo(Errno.ENOSPC);
        assertThat(inodes).allSatisfy(inode -> assertThat(desktopsOf(inode)).startsWith("writer"));
    }

    @Test
    void shouldNotWaitForEverForWhatDoesNotLeave() {
        createCopied(3);
        long open = createOpen();
        writer.holdAnswers(); // it removes nothing

        CompletableFuture<QueenReply> room = makeRoom(open, MIB);
        hive.advance(awake, CONFIG.errandDeadline());

        assertThat(Errno.of(room.join().getFailure().getErrno())).isEqualTo(Errno.ENOSPC);
        assertThat(room.join().getFailure().getReason()).contains("in time");
    }

    @Test
    void shouldBeginToWaitAnewWhenTheQueenBeeHerselfWasStopped() {
        createCopied(3);
        long open = createOpen();
        writer.holdAnswers();
        CompletableFuture<QueenReply> room = makeRoom(open, MIB);

        hive.time().jump(CONFIG.errandDeadline().dividedBy(2));
        hive.advance(awake, CONFIG.heartbeat());

        assertThat(room).isNotDone();
        hive.advance(awake, CONFIG.errandDeadline());
        assertThat(Errno.of(room.join().getFailure().getErrno())).isEqualTo(Errno.ENOSPC);
    }
}
