package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.SetAttributes;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a desktop that has gone counts as lost, and what becomes of files then. */
class AbsenceTest extends ComingAndGoingTest {
    @Test
    void shouldCopyNothingWhileADesktopIsAsleep() {
        long inode = createCopied("f");
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        go(second);

        advance(CONFIG.graceTime().minus(Duration.ofHours(1)));

        assertThat(presence(second)).isEqualTo(Presence.ASLEEP);
        assertThat(fetched(fourth)).isEmpty();
        assertThat(hive.inode(inode).secondaries().size()).isEqualTo(2);
    }

    @Test
    void shouldKeepAFileCleanThatSomebodyWantsToWriteWhileItsPrimaryIsAsleep() {
        long inode = createCopied("f");
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        go(writer);

        CompletableFuture<QueenReply> open = fourth.submit(Ask.open(inode, 7, true, true));

        assertThat(open).isNotDone();
        assertThat(hive.inode(inode).dirty()).isFalse();
        Layout layout = third.ok(Ask.open(inode, 8, true, false)).getNode().getLayout();
        assertThat(layout.getDirty()).isFalse();
        assertThat(layout.getSecondariesList()).isNotEmpty();
        come(writer);
        assertThat(open.join().getNode().getLayout().getDirty()).isTrue();
    }

    @Test
    void shouldLetAnotherReplicaStandInWhenSomebodyWritesAFileWhosePrimaryIsAsleep() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        go(writer);

        assertThat(fourth.submit(Ask.open(inode, 7, true, true)))
                .as("programs there may still write")
                .isNotDone();
        advance(LEASE);
        open(fourth, inode);

        assertThat(hive.inode(inode).dirty()).isTrue();
        assertThat(honeycombOf(inode).desktop()).isIn("second", "third");
        assertThat(hive.inode(inode).epoch()).isGreaterThan(epoch);
        assertThat(presence(writer)).isEqualTo(Presence.ASLEEP);
        assertThat(hive.inode(inode).secondaries().size()).isEqualTo(2);
    }

    @Test
    void shouldLeaveThePrimaryOfASleepingDesktopWhereItIsWhileNobodyWrites() {
        long inode = createCopied("f");
        go(writer);
        advance(LEASE.multipliedBy(2));

        second.ok(Ask.open(inode, 7, true, false));

        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");
    }

    @Test
    void shouldBringThePrimaryOfASleepingDesktopToWhoWritesWhereASecondaryIs() {
        for (String name : List.of("f", "g", "h")) {
            createCopied(name);
        }
        go(writer);
        advance(LEASE);

        for (String name : List.of("f", "g", "h")) {
            long inode =
                    third.ok(Ask.lookup(ROOT, name)).getNode().getAttributes().getInode();
            open(third, inode);
            assertThat(honeycombOf(inode).desktop()).isEqualTo("third");
        }
    }

    @Test
    void shouldRenewTheReplicaOfAFormerPrimaryWhoseDesktopHasSlept() {
        long inode = createCopied("f");
        go(writer);
        advance(LEASE);
        second.ok(Ask.release(inode, open(second, inode), written(inode, 2)));

        come(writer);
        advance(COHERENCE);

        assertThat(fetched(writer)).containsExactly(inode);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        assertThat(honeycombOf(inode).desktop()).isEqualTo("second");
    }

    @Test
    void shouldWaitForASleepingPrimaryIfNobodyElseHasTheFileAsItIs() {
        long inode = createCopied("f");
        writer.ok(Ask.release(inode, open(writer, inode), written(inode, 2)));
        go(writer);
        advance(LEASE);

        CompletableFuture<QueenReply> open = second.submit(Ask.open(inode, 7, true, true));
        advance(CONFIG.heartbeat());

        assertThat(open).isNotDone();
        assertThat(hive.inode(inode).dirty()).isFalse();
        come(writer);
        assertThat(open.join().getNode().getLayout().getDirty()).isTrue();
        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");
    }

    /** Everybody leaves at the same time. */
    @Test
    void shouldLetAnotherReplicaStandInWhenTheFirstThatWasToHasGone() {
        long inode = createCopied("f");
        go(writer);
        advance(LEASE);
        second.setAnswering(false);
        assertThat(second.submit(Ask.open(inode, 7, true, true)))
                .as("it never says that it has the primary")
                .isNotDone();
        assertThat(honeycombOf(inode).desktop()).isEqualTo("second");
        go(second);
        advance(LEASE);

        open(third, inode);

        assertThat(honeycombOf(inode).desktop()).isEqualTo("third");
        assertThat(hive.inode(inode).moving()).isFalse();
    }

    @Test
    void shouldTellReadersThatTheFileIsElsewhereBeforeAnybodyWritesItThere() {
        long inode = createCopied("f");
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        fourth.ok(Ask.open(inode, 7, true, false));
        go(writer);
        advance(LEASE);
        second.ok(Ask.change(SetAttributes.newBuilder().setInode(inode).setMode(0600)));
        int before = fourth.recalls().size(); // it has no lease any more

        open(second, inode);

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(fourth.recalls().stream().skip(before).flatMap(recall -> recall.getInodesList().stream()))
                .containsExactly(inode);
    }

    @Test
    void shouldTellADesktopToAskAgainBeforeItTakesTheQueenBeeForDead() {
        long inode = createCopied("f");
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        go(writer);

        CompletableFuture<QueenReply> open = fourth.submit(Ask.open(inode, 7, true, true));
        hive.advance(awake, Duration.ofSeconds(8));

        assertThat(Failures.toPosix(open.exceptionNow()))
                .hasMessage("writer must come back: the file can be written only there")
                .extracting(PosixException::errno)
                .isEqualTo(Errno.EAGAIN);
        assertThat(hive.queenBee().state().sessions().all()).hasSize(4);
    }

    @Test
    void shouldMakeReplicasElsewhereWhenADesktopIsLost() {
        long inode = createCopied("f");
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        go(second);

        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));

        assertThat(presence(second)).isEqualTo(Presence.LOST);
        assertThat(fetched(fourth)).contains(inode);
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "third", "fourth");
    }

    @Test
    void shouldMakeReplicasElsewhereThoughADesktopIsFarBehind() {
        List<Long> inodes =
                IntStream.range(0, 10).mapToObj(i -> createCopied("f" + i)).toList();
        TestDesktop slow = new TestDesktop(hive, "slow");
        slow.setAvailable(1L << 55);
        come(slow).holdAnswers();
        second.ok(Ask.setXattr(ROOT, "beefs.replicas", "2"));
        createBySecond(18_000);
        advance(COHERENCE);
        come(new TestDesktop(hive, "fourth"));

        loseTheWriter();
        advance(COHERENCE);

        assertThat(inodes)
                .allSatisfy(
                        inode -> assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("second", "third", "fourth"))
                .allSatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().areCurrent()).isTrue());
    }

    private void createBySecond(int files) {
        for (int i = 0; i < files; i++) {
            long handle = 1000 + second.newHandle();
            long inode = second.ok(Ask.create(ROOT, "g" + i, 0644, handle))
                    .getNode()
                    .getAttributes()
                    .getInode();
            second.ok(Ask.release(inode, handle, written(inode, 1)));
        }
    }

    @Test
    void shouldNotCountTimeInWhichTheQueenBeeDidNotRun() {
        createCopied("f");
        go(second);
        advance(CONFIG.graceTime().dividedBy(2));

        hive.time().jump(CONFIG.graceTime().multipliedBy(3));
        advance(Duration.ofMinutes(10));

        assertThat(presence(second)).isEqualTo(Presence.ASLEEP);
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 2})
    void shouldCountTheGraceTimeByNoClockThatIsSet(int hoursForth) {
        createCopied("f");
        go(second);

        hive.time().setForth(Duration.ofHours(hoursForth));

        advance(CONFIG.graceTime().minus(Duration.ofHours(1)));
        assertThat(presence(second)).isEqualTo(Presence.ASLEEP);
        advance(Duration.ofHours(2));
        assertThat(presence(second)).isEqualTo(Presence.LOST);
    }

    @Test
    void shouldRememberAnAbsenceOverARestart() {
        createCopied("f");
        go(second);
        advance(CONFIG.graceTime().multipliedBy(3).dividedBy(4));
        hive.restart();
        awake.forEach(desktop -> desktop.register(desktop.register()));

        advance(CONFIG.graceTime().multipliedBy(3).dividedBy(8));

        assertThat(presence(second)).isEqualTo(Presence.LOST);
    }

    @Test
    void shouldRememberOverARestartHowLittleADesktopIsThere() {
        go(second);
        advance(CONFIG.graceTime().multipliedBy(2));
        int before = attendance(second);
        hive.restart();

        assertThat(before).isLessThan(430);
        assertThat(attendance(writer)).isGreaterThan(570);
        assertThat(attendance(second)).isBetween(before - 20, before + 20);
    }

    @Test
    void shouldRefuseToGiveUpWhoIsConnectedOrUnknown() {
        assertThat(lost("writer").getFailure().getErrno()).isEqualTo(Errno.EBUSY.number());
        assertThat(lost("nobody").getFailure().getErrno()).isEqualTo(Errno.ENODEV.number());
    }

    @Test
    void shouldReportWhatLiesOnLostDesktopsOnly() {
        createCopied("f");
        come(new TestDesktop(hive, "fourth"));
        List.of(writer, second, third).forEach(this::go);
        advance(Duration.ofHours(1));
        assertThat(underReplicated()).isZero();

        advance(CONFIG.graceTime());

        assertThat(underReplicated()).isEqualTo(1);
    }

    private long underReplicated() {
        return awake.getLast()
                .send(QueenRequest.newBuilder()
                        .setHiveStatus(HiveStatus.getDefaultInstance())
                        .build())
                .getHiveReport()
                .getUnderReplicated();
    }

    private int attendance(TestDesktop desktop) {
        return honeycombs()
                .filter(honeycomb -> honeycomb.desktop().equals(desktop.name()))
                .findFirst()
                .orElseThrow()
                .attendance()
                .thousandths();
    }
}
