package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetched;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

class CensusTest extends ComingAndGoingTest {
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    /** Else an alarm would ring all day: somebody has always just closed a file. */
    @Test
    void shouldNotMissCopiesOfAFileBeforeItsTimeToCoherence() {
        createCommitted();

        advance(A_WHILE);

        assertThat(underReplicated()).isZero();
    }

    /** Databases and logs are open all the time. */
    @Test
    void shouldNotMissCopiesOfAFileThatIsBeingWritten() {
        open(writer, createCopied("f"));

        advance(Duration.ofMinutes(5));

        assertThat(underReplicated()).isZero();
    }

    @Test
    void shouldMissCopiesThatFailAgainAndAgain() {
        List.of(second, third)
                .forEach(desktop -> desktop.setFetched(_ -> Fetched.newBuilder()
                        .setFailure(new PosixException(Errno.EIO, "the disk is broken").toFailure())
                        .build()));
        createCommitted();

        advance(COHERENCE.plus(A_WHILE));

        assertThat(underReplicated()).isOne();
    }

    @Test
    void shouldMissCopiesForWhichNobodyIsAwakeWhenTheirTimeHasCome() {
        List.of(second, third).forEach(this::go);
        createCommitted();

        advance(COHERENCE.plus(A_WHILE));

        assertThat(underReplicated()).isOne();
    }

    /** Nothing but time has changed since it was counted last. */
    @Test
    void shouldMissCopiesForWhichThereIsNoRoomWhenTheirTimeHasCome() {
        List.of(second, third).forEach(desktop -> desktop.setSpace(100, 100));
        advance(A_WHILE);
        createCommitted();
        advance(A_WHILE);
        assertThat(underReplicated()).isZero();

        advance(COHERENCE.plus(Duration.ofMinutes(1)));

        assertThat(underReplicated()).isOne();
    }

    @Test
    void shouldMissAllReplicasOfAFileThatWasBeingWrittenOnALostDesktop() {
        open(writer, createCopied("f"));
        List.of(second, third).forEach(this::go);
        come(new TestDesktop(hive, "fourth"));

        loseTheWriter();

        assertThat(census().onlyOnLost()).isOne();
    }

    /** As truncate(1) makes them. */
    @Test
    void shouldAddUpSizesThatAreMoreThanANumberHolds() {
        long inode = createCopied("f");
        writer.ok(Ask.release(inode, open(writer, inode), Ask.written(inode, 5L << 60, 2)));

        advance(A_WHILE);

        assertThat(census().toCopy()).isEqualTo(2);
        assertThat(census().bytesToCopy()).isEqualTo(Long.MAX_VALUE);
    }

    private void createCommitted() {
        writer.createWritten("f", inode -> written(inode, 1));
    }

    private long underReplicated() {
        return census().underReplicated();
    }

    private Census.Counts census() {
        return hive.queenBee().state().replication().census().counts();
    }
}
