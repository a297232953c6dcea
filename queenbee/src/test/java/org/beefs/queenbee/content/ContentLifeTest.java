package org.beefs.queenbee.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

class ContentLifeTest extends OneDesktopTest {
    private static final Duration LEASE = Duration.ofSeconds(32);

    /** Nobody caches, or holds back, what he knew before a restart; sessions may still come back. */
    private static final Duration AFTER_ALL_LEASES = Duration.ofSeconds(6);

    @Test
    void shouldBeBornDirtyAndCommitWithTheLastWriter() {
        Node created = desktop.ok(Ask.create(ROOT, "f", 0644, 1)).getNode();
        long inode = created.getAttributes().getInode();
        assertThat(created.getLayout().getDirty()).isTrue();
        assertThat(created.getLayout().getVersion()).isZero();
        desktop.ok(Ask.open(inode, 2, false, true));

        desktop.ok(Ask.release(inode, 1, status(inode, 100, 1)));
        assertThat(layout(inode).getDirty()).isTrue();
        desktop.ok(Ask.release(inode, 2, status(inode, 200, 2)));

        Node committed = node(inode);
        assertThat(committed.getLayout().getDirty()).isFalse();
        assertThat(committed.getLayout().getVersion()).isPositive();
        assertThat(committed.getAttributes().getSize()).isEqualTo(200);
        assertThat(committed.getLayout().getCommittedSize()).isEqualTo(200);
        assertThat(committed.getLayout().getCommittedMtime()).isEqualTo(time(2));
        assertThat(committed.getAttributes().getMtime()).isEqualTo(time(2));
    }

    @Test
    void shouldTellWhoMadeAFileFromWhoFoundIt() {
        QueenRequest made = desktop.numbered(Ask.create(ROOT, "f", 0644, 1));
        assertThat(desktop.send(made).getNode().getCreated()).isTrue();
        assertThat(desktop.ok(Ask.create(ROOT, "f", 0644, 2)).getNode().getCreated())
                .isFalse();
        assertThat(desktop.send(made).getNode().getCreated())
                .as("asked again for the same answer")
                .isTrue();
    }

    @Test
    void shouldCommitTheReportWithTheHighestObservation() {
        long inode = create("f", 1);
        desktop.ok(Ask.open(inode, 2, false, true));
        desktop.ok(Ask.release(inode, 2, status(inode, 500, 9)));
        desktop.ok(Ask.release(inode, 1, status(inode, 100, 3)));

        assertThat(node(inode).getAttributes().getSize()).isEqualTo(500);
    }

    /** Sizes are unsigned on the wire. */
    @Test
    void shouldRefuseAReportOfAnImpossibleSize() {
        long inode = create("f", 1);

        assertThat(desktop.fails(Ask.release(inode, 1, status(inode, -1, 1)))).isEqualTo(Errno.EINVAL);
        assertThat(desktop.fails(Ask.release(
                        inode, 1, status(inode, 1, 1).toBuilder().setBlocks(-1).build())))
                .isEqualTo(Errno.EINVAL);

        assertThat(layout(inode).getDirty()).isTrue();
        desktop.ok(Ask.release(inode, 1, status(inode, 1, 1)));
        assertThat(layout(inode).getDirty()).isFalse();
    }

    @Test
    void shouldAskAgainWhenAHoneycombSeesAnImpossibleSize() {
        long inode = create("f", 1);
        desktop.replica(inode, status(inode, Long.MIN_VALUE, 1).toBuilder());

        desktop.ok(Ask.release(inode, 1));
        keepAlive(desktop, LEASE);

        assertThat(layout(inode).getDirty()).isTrue();
        desktop.replica(inode, status(inode, 100, 2).toBuilder());
        keepAlive(desktop, LEASE);
        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(100);
    }

    @Test
    void shouldExamineWhatWasReportedBeforeARestart() {
        long inode = create("f", 1);
        desktop.ok(Ask.open(inode, 2, false, true));
        desktop.ok(Ask.release(inode, 2, status(inode, 500, 9)));
        desktop.replica(inode, status(inode, 500, 9).toBuilder());

        hive.restart();
        desktop.register(desktop.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(1).setWrite(true)));
        desktop.ok(Ask.release(inode, 1, status(inode, 100, 3)));
        hive.run();

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(500);
    }

    @Test
    void shouldExamineWhatWasCommittedWhileTheSessionOfAWriterHadEnded() {
        TestDesktop writer = new TestDesktop(hive, "writer").registered();
        long inode = create("f", 1);
        writer.ok(Ask.open(inode, 7, false, true));
        desktop.replica(inode, status(inode, 500, 9).toBuilder());
        desktop.ok(Ask.release(inode, 1, status(inode, 500, 9)));
        keepAlive(desktop, LEASE);
        assertThat(layout(inode).getDirty()).isFalse();

        writer.register(writer.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(7).setWrite(true)));
        writer.ok(Ask.release(inode, 7, status(inode, 100, 3)));
        hive.run();

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(500);
    }

    @Test
    void shouldNotBeMadeDirtyByReaders() {
        long inode = createCommitted("f", 100);
        desktop.ok(Ask.open(inode, 5, true, false));
        assertThat(layout(inode).getDirty()).isFalse();
        desktop.ok(Ask.release(inode, 5));
        assertThat(layout(inode).getDirty()).isFalse();
    }

    @Test
    void shouldExamineWhatAWriterLeftWithoutAWord() {
        long inode = create("f", 1);
        desktop.replica(inode, status(inode, 300, 4).toBuilder());

        desktop.ok(Ask.release(inode, 1));

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(300);
    }

    @Test
    void shouldTellHowLongAHoneycombHasBeenMissed() {
        TestDesktop writer = new TestDesktop(hive, "writer").registered();
        long inode = create(writer, "f", 1);
        assertThat(layout(inode).getAwaySeconds()).isZero();
        writer.disconnect();
        hive.advance(List.of(desktop), Duration.ofSeconds(90));
        assertThat(layout(inode).getAwaySeconds()).isBetween(80, 90);

        new TestDesktop(hive, "writer", 2, 2).registered();

        assertThat(layout(inode).getAwaySeconds()).isZero();
    }

    @Test
    void shouldExamineWhatAnEndedSessionLeftOnceItsHoneycombIsBack() {
        TestDesktop writer = new TestDesktop(hive, "writer").registered();
        long inode = create(writer, "f", 1);
        TestDesktop again = new TestDesktop(hive, "writer", 2, 2);
        again.replica(inode, status(inode, 300, 4).toBuilder());
        writer.disconnect();
        assertThat(layout(inode).getDirty()).isTrue();
        assertThat(layout(inode).getAddress()).isEmpty();

        again.registered();

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(300);
    }

    @Test
    void shouldNotTakeTheReportOfALaterWriterWhileSomebodyWhoHasGoneMayStillBeWriting() {
        long inode = create("f", 1);
        desktop.setAnswering(false);
        desktop.ok(Ask.release(inode, 1));

        desktop.ok(Ask.open(inode, 2, false, true));
        desktop.ok(Ask.release(inode, 2, status(inode, 100, 3)));
        assertThat(layout(inode).getDirty()).isTrue();
        desktop.replica(inode, status(inode, 300, 4).toBuilder());
        desktop.setAnswering(true);
        hive.advance(Duration.ofSeconds(3));

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(300);
    }

    @Test
    void shouldExamineAfterARestartWhatSomebodyWhoHasGoneMayStillBeWriting() {
        TestDesktop other = new TestDesktop(hive, "other").registered();
        long inode = create("f", 1);
        desktop.replica(inode, status(inode, 300, 4).toBuilder());
        hive.restart();
        desktop.register(desktop.register());
        hive.advance(AFTER_ALL_LEASES);
        desktop.ok(Ask.open(inode, 2, false, true));
        other.register(other.register());
        hive.run();

        desktop.ok(Ask.release(inode, 2, status(inode, 100, 3)));
        hive.run();

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(300);
    }

    @Test
    void shouldAskAgainWhenAnExaminationFails() {
        long inode = create("f", 1);
        desktop.replica(inode, status(inode, 300, 4).toBuilder());
        desktop.setAnswering(false);
        desktop.ok(Ask.release(inode, 1));
        assertThat(layout(inode).getDirty()).isTrue();
        desktop.setAnswering(true);
        hive.advance(Duration.ofSeconds(3));
        assertThat(layout(inode).getDirty()).isFalse();
    }

    @Test
    void shouldCommitTheOthersWhenOneReplicaCannotBeExamined() {
        long broken = create("broken", 1);
        long whole = create("whole", 2);
        desktop.replica(whole, status(whole, 300, 4).toBuilder());
        desktop.breakReplica(broken);
        desktop.setAnswering(false);
        desktop.ok(Ask.release(broken, 1));
        desktop.ok(Ask.release(whole, 2));
        desktop.setAnswering(true);

        hive.advance(Duration.ofSeconds(20));

        assertThat(layout(whole).getDirty()).isFalse();
        assertThat(layout(broken).getDirty()).isTrue();
    }

    @Test
    void shouldTellPeopleOnceWhichReplicaCannotBeExaminedAndAgainWhenItFailsAnew() {
        long inode = create("f", 1);
        desktop.breakReplica(inode);
        try (LogLines log = new LogLines("org.beefs.queenbee")) {
            desktop.ok(Ask.release(inode, 1));
            keepAlive(desktop, Duration.ofSeconds(20));
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("inode %d cannot be examined on desk".formatted(inode), "the disk is broken");

            desktop.repair();
            desktop.replica(inode, status(inode, 300, 4).toBuilder());
            keepAlive(desktop, Duration.ofSeconds(20));
            assertThat(layout(inode).getDirty()).isFalse();
            assertThat(log.warnings()).hasSize(1);

            desktop.ok(Ask.open(inode, 2, false, true));
            desktop.breakReplica(inode);
            desktop.ok(Ask.release(inode, 2));
            keepAlive(desktop, Duration.ofSeconds(20));
            assertThat(log.warnings()).hasSize(2);
        }
    }

    @Test
    void shouldNotTellPeopleOfAReplicaWhoseDesktopIsOnlyAway() {
        long inode = create("f", 1);
        try (LogLines log = new LogLines("org.beefs.queenbee")) {
            desktop.setAnswering(false);
            desktop.ok(Ask.release(inode, 1));
            hive.advance(Duration.ofSeconds(20));
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void shouldDropTheOthersWhenOneReplicaFails() {
        long broken = createCommitted("broken", 100);
        createCommitted("whole", 100);
        desktop.setAnswering(false);
        desktop.breakReplica(broken);
        desktop.ok(Ask.unlink(ROOT, "broken"));
        desktop.ok(Ask.unlink(ROOT, "whole"));
        desktop.setAnswering(true);

        hive.advance(Duration.ofSeconds(20));

        assertThat(hive.queenBee().state().honeycombs().errandQueues().pendingDrops())
                .isEqualTo(1);
    }

    @Test
    void shouldNotTakeALookFromBeforeAWriterWasLost() {
        long inode = create("f", 1);
        desktop.holdAnswers();
        desktop.ok(Ask.release(inode, 1));
        TestDesktop other = new TestDesktop(hive, "other").registered();
        desktop.ok(Ask.open(inode, 2, false, true));
        other.ok(Ask.open(inode, 1, false, true));
        desktop.replica(inode, status(inode, 900, 9).toBuilder());
        other.ok(Ask.release(inode, 1));

        desktop.answerHeld();
        desktop.ok(Ask.release(inode, 2, status(inode, 100, 3)));
        desktop.answerHeld();

        assertThat(layout(inode).getDirty()).isFalse();
        assertThat(node(inode).getAttributes().getSize()).isEqualTo(900);
    }

    @Test
    void shouldKeepAnUnlinkedFileUntilItIsClosed() {
        long inode = createCommitted("f", 100);
        desktop.replica(inode, status(inode, 100, 1).toBuilder());
        desktop.ok(Ask.open(inode, 2, true, false));
        desktop.ok(Ask.unlink(ROOT, "f"));
        assertThat(node(inode).getAttributes().getLinks()).isZero();
        assertThat(desktop.replicas()).containsKey(inode);

        desktop.ok(Ask.release(inode, 2));

        assertThat(desktop.fails(Ask.attributes(inode))).isEqualTo(Errno.ESTALE);
        assertThat(desktop.replicas()).isEmpty();
        hive.advance(Duration.ofSeconds(1));
        assertThat(hive.queenBee().state().honeycombs().errandQueues().pendingDrops())
                .as("removals that its catalog does not know of")
                .isZero();
    }

    @Test
    void shouldKeepAnUnlinkedFileOverARestartWhileItIsOpen() {
        long inode = create("f", 1);
        desktop.ok(Ask.unlink(ROOT, "f"));
        hive.restart();
        desktop.register(desktop.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(1).setWrite(true)));
        hive.advance(Duration.ofSeconds(1));
        assertThat(node(inode).getAttributes().getLinks()).isZero();

        desktop.ok(Ask.release(inode, 1));

        assertThat(desktop.fails(Ask.attributes(inode))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldReapUnlinkedFilesWhenTheirSessionDoesNotComeBack() {
        TestDesktop other = new TestDesktop(hive, "other").registered();
        long inode = create("f", 1);
        desktop.ok(Ask.unlink(ROOT, "f"));
        hive.restart();
        other.register(other.register());
        hive.advance(Duration.ofSeconds(20));
        other.ok(QueenRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
        assertThat(hive.queenBee().state().namespace().find(inode)).isNotNull();

        hive.advance(Duration.ofSeconds(14));

        assertThat(hive.queenBee().state().namespace().find(inode)).isNull();
        assertThat(hive.queenBee().state().honeycombs().errandQueues().pendingDrops())
                .isOne();
    }

    @Test
    void shouldNotDropWhatNeverHadAReplica() {
        long inode = desktop.ok(Ask.mknod(ROOT, "f", 0100644))
                .getNode()
                .getAttributes()
                .getInode();
        desktop.ok(Ask.unlink(ROOT, "f"));
        assertThat(hive.queenBee().state().namespace().find(inode)).isNull();
        assertThat(desktop.received()).isEmpty();
    }

    @Test
    void shouldDropAReplacedFile() {
        long inode = createCommitted("f", 100);
        desktop.replica(inode, status(inode, 100, 1).toBuilder());
        desktop.ok(Ask.mknod(ROOT, "g", 0100644));
        desktop.ok(Ask.rename(ROOT, "g", ROOT, "f"));
        assertThat(desktop.replicas()).isEmpty();
    }

    @Test
    void shouldReportHandlesWhoseFilesAreGone() {
        assertThat(desktop.register(desktop.register()
                                .addOpenFiles(OpenFile.newBuilder()
                                        .setInode(12345)
                                        .setHandle(8)
                                        .setWrite(true)))
                        .getLostHandlesList())
                .containsExactly(8L);
    }

    @Test
    void shouldMakeAFileDirtyAgainWhenAReturningSessionStillWritesIt() {
        long inode = createCommitted("f", 100);
        desktop.ok(Ask.open(inode, 2, false, true));
        TestDesktop other = new TestDesktop(hive, "other").registered();
        desktop.setAnswering(false);
        hive.time().jump(Duration.ofSeconds(1));
        keepAlive(other, LEASE);
        assertThat(other.ok(Ask.attributes(inode)).getNode().getLayout().getAddress())
                .isEmpty();

        desktop.register(desktop.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(2).setWrite(true)));

        assertThat(layout(inode).getDirty()).isTrue();
    }

    private void keepAlive(TestDesktop other, Duration duration) {
        for (long second = 0; second < duration.toSeconds(); second++) {
            hive.advance(Duration.ofSeconds(1));
            other.ok(Ask.attributes(ROOT));
        }
    }
}
