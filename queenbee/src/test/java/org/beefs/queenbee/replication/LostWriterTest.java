package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SecureContent;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a file that is copied in a day only, but has what was synced on two disks, when the desktop of its
 * primary is lost. Nobody opens it to write, so that nothing but the loss itself can let it go on.
 */
class LostWriterTest {
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));
    private static final Duration TICK = CONFIG.heartbeat();
    private static final Duration LEASE = CONFIG.lease().plus(TICK.multipliedBy(2));
    private static final Duration DAY = Duration.ofHours(24);
    private static final long HANDLE = 1000;

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> awake = new ArrayList<>();
    private final TestDesktop writer = come(new TestDesktop(hive, "writer"));
    private final TestDesktop second = come(new TestDesktop(hive, "second"));
    private final TestDesktop third = come(new TestDesktop(hive, "third"));

    /** What the primary replica shows whenever a copy of it begins. */
    private ReplicaStatus shown = ReplicaStatus.getDefaultInstance();

    private long asked;

    @Test
    void shouldLetAFileGoOnAsWhatWasSyncedWhenItsWriterIsLostBeforeItsCloseIsKnown() {
        long inode = createClosed();
        long version = openAndSync(writer, inode, 9);

        lose(writer);

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isFalse();
        assertThat(hive.inode(inode).version()).isEqualTo(version);
        assertThat(hive.inode(inode).size()).isEqualTo(9);
    }

    @Test
    void shouldLetAClosedFileGoOnWhoseCopiesAreFarAway() {
        long inode = createClosed();
        long version = hive.inode(inode).version();

        lose(writer);

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldLetItGoOnWhenItsWriterElsewhereEndsBeforeTheLoss() {
        long inode = createClosed();
        long version = openAndSync(third, inode, 9);
        go(third);
        advance(LEASE.dividedBy(2));

        lose(writer);

        assertThat(placeOf(inode)).isEqualTo("second");
        assertThat(hive.inode(inode).dirty()).isFalse();
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldLetItGoOnWhenItsWriterElsewhereEndsAfterTheLoss() {
        long inode = createClosed();
        long version = openAndSync(third, inode, 9);
        lose(writer);
        assertThat(placeOf(inode)).as("it may be written still").isEqualTo("writer");
        go(third);
        advance(LEASE.dividedBy(2));
        assertThat(placeOf(inode)).as("its writer may come back").isEqualTo("writer");

        advance(LEASE);

        assertThat(placeOf(inode)).isEqualTo("second");
        assertThat(hive.inode(inode).dirty()).isFalse();
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldLetItGoOnWhenTheLeaseIsOverOfAWriterWhoseNameAnotherProcessHas() {
        long inode = createClosed();
        TestDesktop laptop = withoutHoneycomb(1);
        long version = openAndSync(laptop, inode, 9);
        lose(writer);
        laptop.ok(QueenRequest.newBuilder().setHeartbeat(laptop.heartbeat()));
        go(laptop);
        withoutHoneycomb(2);
        advance(LEASE.dividedBy(2));
        assertThat(placeOf(inode)).as("its process may write still").isEqualTo("writer");

        advance(LEASE.plus(Retries.LONGEST_PAUSE));

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldLetItGoOnWhenTheQueenBeeWasStartedAgainBeforeItsWriterWasLost() {
        long inode = createClosed();
        long version = openAndSync(writer, inode, 9);
        go(writer);
        declareLost(writer);
        hive.restart();
        awake.forEach(desktop -> desktop.register(desktop.register()));
        advance(LEASE.dividedBy(2));
        assertThat(placeOf(inode)).as("its writer may come back").isEqualTo("writer");

        advance(LEASE.plus(Retries.LONGEST_PAUSE));

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldLetItGoOnAtOnceWhenItsLastWriterElsewhereClosesIt() {
        long inode = createClosed();
        long version = openAndSync(third, inode, 9);
        lose(writer);

        third.ok(Ask.release(inode, HANDLE, shown));
        advance(TICK);

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldLeaveItWhereItIsUntilTheLeaseOfWhoIsDeclaredLostIsOver() {
        long inode = createClosed();
        openAndSync(writer, inode, 9);
        go(writer);
        declareLost(writer);

        advance(CONFIG.lease().minus(TICK));

        assertThat(placeOf(inode)).isEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isTrue();
    }

    @Test
    void shouldWaitForTheDesktopOfItsPrimaryWhenWhoHasTheSameIsAway() {
        long inode = createClosed();
        go(third);
        long version = openAndSync(writer, inode, 9);
        go(second);
        go(writer);
        come(third);
        declareLost(writer);
        advance(LEASE);
        assertThat(placeOf(inode)).as("what is there is older").isEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isTrue();

        come(second);
        advance(TICK.multipliedBy(2));

        assertThat(placeOf(inode)).isEqualTo("second");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldNotTakeAnOlderVersionWhenNothingWasPromised() {
        long inode = createClosed();
        writer.ok(Ask.setXattr(inode, ReplicationXattr.P_FACTOR, "0"));
        writer.ok(Ask.open(inode, HANDLE, false, true));
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));
        writer.ok(Ask.open(inode, HANDLE, false, true));
        long version = hive.inode(inode).version();
        assertThat(hive.inode(inode).secondaries().current()).isEmpty();

        lose(writer);
        advance(TestConfig.LONGER_THAN_THE_GRACE_TIME);

        assertThat(placeOf(inode)).isEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldGoBackToWhatWasPromisedWithoutWaitingForTheNextCopies() {
        long inode = createClosed();
        long promised = hive.inode(inode).version();
        writer.ok(Ask.open(inode, HANDLE, false, true));
        failing();
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));
        assertThat(hive.inode(inode).version()).isGreaterThan(promised);

        lose(writer);

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(promised);
        assertThat(hive.inode(inode).size()).isEqualTo(7);
    }

    /** Copies of versions that were never on enough disks have taken its place. */
    @Test
    void shouldGoBackToTheLatestThatIsLeftWhenNobodyHasWhatWasPromised() {
        long inode = createClosed();
        writer.ok(Ask.setXattr(inode, ReplicationXattr.P_FACTOR, "3"));
        sync(writer, inode);
        failing();
        rewrite(inode, 9);
        long latest = hive.inode(inode).version();
        mutate(new Mutation.SetSecondary(inode, hive.number("second"), latest));
        mutate(new Mutation.SetSecondary(inode, hive.number("third"), 0));
        rewrite(inode, 11);

        lose(writer);

        assertThat(placeOf(inode)).isEqualTo("second");
        assertThat(hive.inode(inode).version()).isEqualTo(latest);
        assertThat(hive.inode(inode).size()).isEqualTo(9);
    }

    private void rewrite(long inode, long size) {
        writer.ok(Ask.open(inode, HANDLE, false, true));
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, size)));
    }

    private void mutate(Mutation mutation) {
        hive.queenBee().state().mutator().apply(mutation);
    }

    @Test
    void shouldHaveADesktopForgetTheRecordOfAFileThatHasGoneBackElsewhere() {
        long inode = createAndGoBack();

        come(writer);
        advance(TICK.multipliedBy(5));

        assertThat(hive.names(Namespace.ROOT))
                .as("the file and its conflict copy")
                .hasSize(2);
        assertThat(writer.records()).doesNotContainKey(inode);
    }

    @Test
    void shouldRememberThatAFileIsGoneForADesktopFromWhichItHasGoneBack() {
        long inode = createAndGoBack();

        second.ok(Ask.unlink(Namespace.ROOT, "f"));
        advance(LEASE);

        assertThat(hive.queenBee().state().records().isRemembered(inode)).isTrue();
        come(writer);
        advance(LEASE);
        assertThat(writer.records().get(inode)).isNull();
        assertThat(hive.queenBee().state().records().tombstones()).isZero();
    }

    /** A file that has gone back to what was promised, of which the lost writer has something newer, and the record. */
    private long createAndGoBack() {
        writer.ok(Ask.setXattr(Namespace.ROOT, ReplicationXattr.REPLICAS, "2"));
        long inode = createClosed();
        writer.ok(Ask.open(inode, HANDLE, false, true));
        failing();
        ReplicaStatus newer = writer.replica(inode, Ask.written(inode, 9).toBuilder());
        writer.ok(Ask.release(inode, HANDLE, newer));
        advance(TICK);
        assertThat(writer.records()).containsKey(inode);
        lose(writer);
        assertThat(placeOf(inode)).isNotEqualTo("writer");
        return inode;
    }

    @Test
    void shouldNotGoBackWhileALaterVersionMayHaveJustBeenCopied() {
        long inode = createClosed();
        long version = writeWhileCopiesAreHeld(inode);

        lose(writer);
        assertThat(placeOf(inode)).as("somebody may have what was written last").isEqualTo("writer");
        List.of(second, third).forEach(TestDesktop::answerHeld);
        advance(TICK);

        assertThat(hive.fatal()).isEmpty();
        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
        assertThat(hive.inode(inode).size()).isEqualTo(9);
    }

    @Test
    void shouldGoBackAsSoonAsTheLastCopyOfALaterVersionHasFailed() {
        long inode = createClosed();
        long promised = hive.inode(inode).version();
        failing();
        writeWhileCopiesAreHeld(inode);

        lose(writer);
        List.of(second, third).forEach(TestDesktop::answerHeld);
        advance(TICK);

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(promised);
    }

    @Test
    void shouldNotGoBackBeforeWhoComesBackHasToldWhatItHas() {
        long inode = createClosed();
        long version = writeWhileCopiesAreHeld(inode);
        List<TestDesktop> others = List.of(second, third);
        others.forEach(this::go);
        come(new TestDesktop(hive, "fourth"));
        lose(writer);

        others.forEach(desktop -> {
            desktop.register(desktop.register());
            awake.add(desktop);
        });
        advance(LEASE);
        assertThat(placeOf(inode)).as("the answer may have been lost").isEqualTo("writer");
        others.forEach(desktop -> tellOf(inode, version, desktop));
        advance(LEASE);

        assertThat(placeOf(inode)).isNotEqualTo("writer");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldNotGoBackWhileWhoMayHaveCopiedALaterVersionIsAway() {
        long inode = createClosed();
        long version = writeWithoutAnAnswerOfTheSecond(inode);
        go(second);
        lose(writer);
        assertThat(placeOf(inode)).as("the answer may have been lost").isEqualTo("writer");

        second.register(second.register());
        awake.add(second);
        tellOf(inode, version, second);
        advance(LEASE);

        assertThat(placeOf(inode)).isEqualTo("second");
        assertThat(hive.inode(inode).version()).isEqualTo(version);
    }

    @Test
    void shouldGoBackWhenWhoMayHaveCopiedALaterVersionHasToldThatItHasNot() {
        long inode = createClosed();
        long promised = hive.inode(inode).version();
        writeWithoutAnAnswerOfTheSecond(inode);
        go(second);
        lose(writer);

        second.register(second.register());
        awake.add(second);
        tellOf(inode, promised, second);
        go(second);
        advance(LEASE);

        assertThat(placeOf(inode)).isEqualTo("third");
        assertThat(hive.inode(inode).version()).isEqualTo(promised);
    }

    @Test
    void shouldCopyAnewToWhoComesBackWithALaterVersionThanTheFileHasGoneBackTo() {
        long inode = createClosed();
        long promised = hive.inode(inode).version();
        long version = writeWithoutAnAnswerOfTheSecond(inode);
        go(second);
        hive.restart(); // that an answer may have been lost is not known any more
        awake.forEach(desktop -> desktop.register(desktop.register()));
        awake.forEach(TestDesktop::inventoried);
        lose(writer);
        assertThat(placeOf(inode)).isEqualTo("third");
        assertThat(hive.inode(inode).version()).isEqualTo(promised);

        second.setAnswering(true);
        second.setFetched(this::copied);
        second.received().clear();
        second.register(second.register());
        awake.add(second);
        tellOf(inode, version, second);
        advance(LEASE);

        assertThat(ComingAndGoingTest.fetched(second)).contains(inode);
        assertThat(hive.inode(inode).versionIn(hive.number("second"))).isEqualTo(promised);
    }

    @Test
    void shouldStillCopyInADayWhatIsNotLost() {
        long inode = createClosed();
        writer.ok(Ask.open(inode, HANDLE, false, true));
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));

        come(new TestDesktop(hive, "fourth")); // whoever comes has all looked at
        advance(LEASE);

        assertThat(hive.inode(inode).secondaries().current()).isEmpty();
    }

    @Test
    void shouldNotWaitForTheTimeOfManyOtherFiles() {
        long inode = createClosed();
        for (int i = 0; i < 16_400; i++) {
            long other = third.ok(Ask.create(Namespace.ROOT, "other" + i, 0644, HANDLE))
                    .getNode()
                    .getAttributes()
                    .getInode();
            third.ok(Ask.release(other, HANDLE, Ask.written(other, 7)));
        }

        lose(writer);

        assertThat(placeOf(inode)).isNotEqualTo("writer");
    }

    /** A file that was closed, with its content on a second disk; all that is left waits for a day. */
    private long createClosed() {
        List.of(second, third).forEach(desktop -> desktop.setFetched(this::copied));
        writer.ok(Ask.setXattr(Namespace.ROOT, ReplicationXattr.P_FACTOR, "2"));
        writer.ok(Ask.setXattr(Namespace.ROOT, ReplicationXattr.TIME_TO_COHERENCE, "24h"));
        long inode = writer.ok(Ask.create(Namespace.ROOT, "f", 0644, HANDLE))
                .getNode()
                .getAttributes()
                .getInode();
        shown = Ask.written(inode, 7);
        writer.ok(Ask.release(inode, HANDLE, shown));
        sync(writer, inode);
        return inode;
    }

    /**
     * A desktop writes the file and has that on two disks before it goes on; the file stays open. Answers the version.
     */
    private long openAndSync(TestDesktop desktop, long inode, long size) {
        writer.ok(Ask.open(inode, HANDLE + 1, true, false)); // so that the primary stays there
        desktop.ok(Ask.open(inode, HANDLE, false, true));
        shown = Ask.written(inode, size);
        sync(desktop, inode);
        assertThat(hive.inode(inode).dirty()).isTrue();
        assertThat(hive.inode(inode).size()).isEqualTo(size);
        return hive.inode(inode).version();
    }

    /** The file is closed with another content, which others are told to copy, and do not answer. */
    private long writeWhileCopiesAreHeld(long inode) {
        List.of(second, third).forEach(TestDesktop::holdAnswers);
        writer.ok(Ask.open(inode, HANDLE, false, true));
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));
        assertThat(writer.submit(secured(inode))).isNotCompleted();
        return hive.inode(inode).version();
    }

    /** The second desktop is told to copy it, and its answer is lost; the third one has what was promised. */
    private long writeWithoutAnAnswerOfTheSecond(long inode) {
        advance(DAY.plusHours(1));
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        second.setAnswering(false);
        failing();
        writer.ok(Ask.open(inode, HANDLE, false, true));
        writer.ok(Ask.release(inode, HANDLE, Ask.written(inode, 9)));
        assertThat(writer.submit(secured(inode))).isNotCompleted();
        advance(TICK.multipliedBy(5));
        return hive.inode(inode).version();
    }

    private void failing() {
        List.of(second, third)
                .forEach(desktop -> desktop.setFetched(_ -> Fetched.newBuilder()
                        .setFailure(new PosixException(Errno.EIO, "made to fail").toFailure())
                        .build()));
    }

    private void sync(TestDesktop desktop, long inode) {
        desktop.ok(secured(inode));
        assertThat(hive.inode(inode).secondaries().current()).isNotEmpty();
    }

    private QueenRequest.Builder secured(long inode) {
        return QueenRequest.newBuilder()
                .setSecureContent(SecureContent.newBuilder().setInode(inode).setNumber(++asked));
    }

    private Fetched copied(Fetch fetch) {
        if (!fetch.getCheckpoint()) {
            return Fetched.newBuilder().setComplete(true).build();
        }
        boolean known = fetch.getKnownMtime().equals(shown.getMtime()) && fetch.getSize() == shown.getSize();
        return Fetched.newBuilder().setComplete(!known).setCheckpoint(shown).build();
    }

    private void tellOf(long inode, long version, TestDesktop desktop) {
        ReplicaName replica = ReplicaName.newBuilder()
                .setInode(inode)
                .setEpoch(hive.inode(inode).epoch())
                .setVersion(version)
                .setSecondary(true)
                .build();
        desktop.ok(QueenRequest.newBuilder().setInventory(Inventory.newBuilder().addReplicas(replica)));
        desktop.inventoried();
    }

    /** It goes and is declared lost, and its lease passes. */
    private void lose(TestDesktop desktop) {
        go(desktop);
        declareLost(desktop);
        advance(LEASE);
    }

    private void declareLost(TestDesktop desktop) {
        awake.getLast()
                .ok(QueenRequest.newBuilder()
                        .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop.name())));
    }

    private void go(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.disconnect();
    }

    private TestDesktop come(TestDesktop desktop) {
        awake.add(desktop.registered());
        return desktop;
    }

    /** A process registers as the laptop. */
    private TestDesktop withoutHoneycomb(long process) {
        TestDesktop laptop = new TestDesktop(hive, "laptop", process, 1);
        laptop.register(laptop.register().clearHoneycomb());
        awake.addFirst(laptop);
        return laptop;
    }

    private void advance(Duration duration) {
        hive.advance(awake, duration);
    }

    /** Where somebody who looks at the file is told to find its primary. */
    private String placeOf(long inode) {
        TestDesktop reader = awake.getLast();
        return reader.ok(Ask.attributes(inode)).getNode().getLayout().getDesktop();
    }
}
