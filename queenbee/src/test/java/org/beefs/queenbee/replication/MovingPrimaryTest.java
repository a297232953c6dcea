package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.api.Test;

/** How the primary of a file comes to where it is written. */
class MovingPrimaryTest extends ComingAndGoingTest {
    @Test
    void shouldBringThePrimaryToWhoWritesWhereASecondaryIs() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();

        open(second, inode);

        assertThat(honeycombOf(inode).desktop()).isEqualTo("second");
        assertThat(hive.inode(inode).epoch()).isGreaterThan(epoch);
        assertThat(hive.inode(inode).secondaries().has(hive.number("writer"))).isTrue();
        assertThat(fetched(second)).containsExactly(inode);
    }

    @Test
    void shouldLeaveThePrimaryWhereSomebodyHasTheFileOpen() {
        long inode = createCopied("f");
        writer.ok(Ask.open(inode, 1000 + writer.newHandle(), true, false));

        open(second, inode);

        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");
    }

    @Test
    void shouldAnswerAnOpenOnlyWhenTheHoneycombHasThePrimary() {
        long inode = createCopied("f");
        second.setAnswering(false);
        CompletableFuture<QueenReply> opened = second.submit(Ask.open(inode, 77, false, true));
        assertThat(opened).isNotCompleted();
        assertThat(hive.inode(inode).moving()).isTrue();

        second.setAnswering(true);
        advance(CONFIG.heartbeat().multipliedBy(2));

        assertThat(opened).isCompleted();
        assertThat(hive.inode(inode).moving()).isFalse();
        assertThat(hive.inode(inode).dirty()).isTrue();
    }

    /** A loss of power would take the decision, and not what the honeycomb has become. */
    @Test
    void shouldMakeNoHoneycombThePrimaryBeforeThatDecisionIsOnDisk() {
        long inode = createCopied("f");
        hive.holdFlushes();
        CompletableFuture<QueenReply> opened = second.submit(Ask.open(inode, 77, false, true));
        assertThat(opened).isNotCompleted();

        hive.runFlushes(); // begun at once: somebody waits

        assertThat(opened).isCompleted();
        assertThat(honeycombOf(inode).desktop()).isEqualTo("second");
    }

    @Test
    void shouldNotWaitForWhatIsChangedOfAFileWhileItsPrimaryMoves() {
        long inode = createCopied("f");
        hive.holdFlushes();
        CompletableFuture<QueenReply> opened = second.submit(Ask.open(inode, 77, false, true));
        third.ok(Ask.chmod(inode, 0600));

        hive.runFlush(); // begun before that change

        assertThat(opened).isCompleted();
        assertThat(honeycombOf(inode).desktop()).isEqualTo("second");
    }

    @Test
    void shouldOpenAFileElsewhereWhenAHoneycombCannotTakeItsPrimary() {
        long inode = createCopied("f");
        second.breakReplica(inode);

        second.ok(Ask.open(inode, 77, false, true));

        assertThat(hive.inode(inode).moving()).isFalse();
        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("second");
        assertThat(fetched(second)).as("what was there is not trusted").containsExactly(inode, inode);
    }

    @Test
    void shouldOpenAFileElsewhereThatSomebodyWantsToReadWhileItsPrimaryDoesNotArrive() {
        long inode = createCopied("f");
        second.setAnswering(false);
        CompletableFuture<QueenReply> written = second.submit(Ask.open(inode, 77, false, true));
        CompletableFuture<QueenReply> read = third.submit(Ask.open(inode, 7, false, false));
        assertThat(read).isNotDone();

        second.breakReplica(inode);
        second.setAnswering(true);
        advance(CONFIG.sealDelay().plus(CONFIG.heartbeat().multipliedBy(2)));

        assertThat(read).isCompleted();
        assertThat(written).isCompleted();
        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("second");
    }

    @Test
    void shouldOpenAFileElsewhereThatSomebodyHadOpenForWritingWhileItsPrimaryDidNotArrive() {
        long inode = createCopied("f");
        second.setAnswering(false);
        CompletableFuture<QueenReply> opened = second.submit(Ask.open(inode, 77, false, true));
        third.register(third.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(7).setWrite(true)));
        third.ok(Ask.release(inode, 7));
        assertThat(hive.inode(inode).dirty()).isTrue();
        assertThat(hive.inode(inode).moving()).isTrue();

        second.breakReplica(inode);
        second.setAnswering(true);
        advance(CONFIG.sealDelay().plus(CONFIG.heartbeat().multipliedBy(2)));

        assertThat(hive.fatal()).isEmpty();
        assertThat(opened).isCompleted();
        assertThat(hive.inode(inode).moving()).isFalse();
        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("second");
    }

    @Test
    void shouldGoOnMovingAfterARestart() {
        long inode = createCopied("f");
        second.setAnswering(false);
        CompletableFuture<QueenReply> opened = second.submit(Ask.open(inode, 77, false, true));
        hive.restart();
        assertThat(opened).isNotCompleted();
        assertThat(hive.inode(inode).moving()).isTrue();

        second.setAnswering(true);
        awake.forEach(desktop -> desktop.register(desktop.register()));
        advance(CONFIG.sealDelay().plus(CONFIG.heartbeat().multipliedBy(2)));

        assertThat(hive.inode(inode).moving()).isFalse();
        assertThat(honeycombOf(inode).desktop()).isEqualTo("second");
    }
}
