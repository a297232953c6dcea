package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What becomes of files when desktops go, and where their primaries are then. */
class AbsenceTest {
    private static final long ROOT = Namespace.ROOT;
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));
    private static final Duration COHERENCE =
            CONFIG.timeToCoherence().plus(CONFIG.heartbeat().multipliedBy(2));
    private static final Duration LEASE = CONFIG.lease().plus(CONFIG.heartbeat().multipliedBy(2));

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> awake = new ArrayList<>();
    private final TestDesktop writer = come(new TestDesktop(hive, "writer"));
    private final TestDesktop second = come(new TestDesktop(hive, "second"));
    private final TestDesktop third = come(new TestDesktop(hive, "third"));

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
    void shouldNotCountTimeInWhichTheQueenBeeDidNotRun() {
        createCopied("f");
        go(second);
        advance(CONFIG.graceTime().dividedBy(2));

        hive.time().jump(CONFIG.graceTime().multipliedBy(3));
        advance(Duration.ofMinutes(10));

        assertThat(presence(second)).isEqualTo(Presence.ASLEEP);
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
    void shouldPromoteASecondaryWhenThePrimaryIsLostAndItsLeaseIsOver() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        go(writer);
        declareLost("writer");
        advance(CONFIG.lease().dividedBy(2));
        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");

        advance(LEASE);

        assertThat(honeycombOf(inode).desktop()).isIn("second", "third");
        assertThat(hive.inode(inode).epoch()).isGreaterThan(epoch);
        assertThat(hive.inode(inode).moving()).isFalse();
        Seal promotion = Stream.of(second, third)
                .flatMap(desktop -> desktop.received().stream())
                .flatMap(request -> request.getSeal().getSealsList().stream())
                .filter(Seal::getMoved)
                .findFirst()
                .orElseThrow();
        assertThat(promotion.getVersion()).isEqualTo(hive.inode(inode).version());
        assertThat(promotion.getReplica().getEpoch())
                .isEqualTo(hive.inode(inode).epoch());
    }

    @Test
    void shouldNotPromoteAStaleSecondary() {
        long inode = createCopied("f");
        rewrite(writer, inode, 2);
        go(writer);
        declareLost("writer");

        advance(LEASE.multipliedBy(4));

        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");
    }

    @Test
    void shouldLeaveADirtyFileToItsDesktopUnlessThatIsDeclaredLost() {
        long inode = createCopied("f");
        open(writer, inode);
        go(writer);
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));
        assertThat(presence(writer)).isEqualTo(Presence.LOST);
        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isTrue();

        declareLost("writer");
        advance(CONFIG.heartbeat());

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isFalse();
    }

    @Test
    void shouldNotGiveUpWhatSomebodyElseIsStillWriting() {
        long inode = createCopied("f");
        writer.ok(Ask.open(inode, 1000 + writer.newHandle(), true, false));
        long handle = open(third, inode);
        go(writer);
        declareLost("writer");
        advance(LEASE.multipliedBy(2));
        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");

        third.ok(Ask.release(inode, handle));
        advance(CONFIG.heartbeat());

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
    }

    @Test
    void shouldLetNobodyBeginToWriteWhatOthersKeepFromGoingOn() {
        long inode = createCopied("f");
        writer.ok(Ask.open(inode, 1000 + writer.newHandle(), true, false));
        long handle = open(third, inode);
        loseTheWriter();

        assertThat(second.fails(Ask.open(inode, 1000 + second.newHandle(), true, true)))
                .isEqualTo(Errno.EIO);
        second.ok(Ask.open(inode, 1000 + second.newHandle(), true, false));
        third.ok(Ask.release(inode, handle));
        open(second, inode);

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isTrue();
    }

    @Test
    void shouldSetNoTimesOfWhatOthersKeepFromGoingOn() {
        long inode = createCopied("f");
        long mtime = hive.inode(inode).mtime();
        writer.ok(Ask.open(inode, 1000 + writer.newHandle(), true, false));
        open(third, inode);
        loseTheWriter();

        assertThat(second.fails(touch(second, inode))).isEqualTo(Errno.EIO);

        assertThat(hive.fatal()).isEmpty();
        assertThat(hive.inode(inode).mtime()).isEqualTo(mtime);
    }

    @Test
    void shouldSetTimesWhenAnotherReplicaHasTakenThePlaceOfTheLostPrimary() {
        long inode = createCopied("f");
        open(writer, inode);
        go(writer);
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));
        declareLost("writer");

        second.ok(touch(second, inode));

        assertThat(hive.fatal()).isEmpty();
        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(hive.inode(inode).mtime())
                .isEqualTo(PackedTime.of(Timestamp.newBuilder().setSeconds(7).build()));
    }

    @Test
    void shouldRefuseToGiveUpWhoIsConnectedOrUnknown() {
        assertThat(lost("writer").getFailure().getErrno()).isEqualTo(Errno.EBUSY.number());
        assertThat(lost("nobody").getFailure().getErrno()).isEqualTo(Errno.ENODEV.number());
    }

    @Test
    void shouldHaveAReturningDesktopDropWhatItHasNoMore() {
        long inode = createCopied("f");
        loseTheWriter();

        writer.registered();
        awake.add(writer);
        advance(CONFIG.heartbeat().multipliedBy(2));

        assertThat(presence(writer)).isEqualTo(Presence.AWAKE);
        assertThat(writer.received().stream()
                        .flatMap(request -> request.getDrop().getReplicasList().stream())
                        .map(ReplicaName::getInode))
                .contains(inode);
        assertThat(hive.inode(inode).secondaries().isCurrent(hive.number("writer")))
                .as("it is taken in again")
                .isTrue();
    }

    @Test
    void shouldTakeAReturningReplicaInThatTheFileLacksStill() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        long version = hive.inode(inode).version();
        TestDesktop fourth = come(new TestDesktop(hive, "fourth"));
        fourth.setFetched(_ -> Fetched.newBuilder()
                .setFailure(new PosixException(Errno.EIO, "no copy yet").toFailure())
                .build());
        go(second);
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "third", "fourth");

        second.register(second.register());
        awake.add(second);
        advance(CONFIG.heartbeat().multipliedBy(2));
        assertThat(second.received()).as("before it has told what it has").noneMatch(request -> request.hasDrop());
        assertThat(inventory(second, secondary(inode, epoch, version))).isEmpty();
        second.inventoried();
        int asked = fetched(fourth).size();
        advance(Replication.LONGEST_PAUSE.multipliedBy(2));

        assertThat(hive.inode(inode).secondaries().isCurrent(hive.number("second")))
                .isTrue();
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "second", "third");
        assertThat(second.received()).noneMatch(request -> request.hasDrop());
        assertThat(fourth.received()).anyMatch(request -> request.hasDrop());
        assertThat(fetched(fourth)).as("no more copies").hasSize(asked);
    }

    @Test
    void shouldNotTakeAReturningReplicaInThatWasMadeElsewhere() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        long version = hive.inode(inode).version();
        come(new TestDesktop(hive, "fourth"));
        go(second);
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));

        second.register(second.register());
        awake.add(second);

        assertThat(inventory(second, secondary(inode, epoch, version))).isNotEmpty();
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "third", "fourth");
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

    @Test
    void shouldKeepAReturningReplicaWhileThePrimaryIsAway() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        long version = hive.inode(inode).version();
        loseTheWriter();
        go(heirOf(inode));

        writer.registered();
        awake.add(writer);
        assertThat(inventory(writer, name(inode, epoch, version))).isEmpty();
        advance(CONFIG.heartbeat().multipliedBy(2));

        assertThat(writer.received()).noneMatch(request -> request.hasDrop());
        assertThat(hive.inode(inode).secondaries().isCurrent(hive.number("writer")))
                .isTrue();
    }

    @Test
    void shouldNotCountAReturningReplicaThatIsBeingRemoved() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        long version = hive.inode(inode).version();
        loseTheWriter();
        writer.setAnswering(false);
        writer.registered();
        assertThat(writer.received()).anyMatch(request -> request.hasDrop());
        go(heirOf(inode));

        assertThat(inventory(writer, name(inode, epoch, version))).isEmpty();

        assertThat(hive.inode(inode).secondaries().has(hive.number("writer"))).isFalse();
    }

    @Test
    void shouldKeepChangesOfAReturningPrimaryAsAConflictCopy() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        open(writer, inode);
        loseTheWriter();
        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");

        writer.registered();
        awake.add(writer);
        assertThat(inventory(writer, name(inode, epoch, 0))).isEmpty();
        writer.ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
        advance(CONFIG.heartbeat().multipliedBy(2));

        assertThat(writer.received()).anyMatch(request -> request.hasAdopt());
    }

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

    /** While those that are awake say so. */
    private void advance(Duration duration) {
        Duration step = duration.compareTo(Duration.ofHours(1)) > 0 ? Duration.ofSeconds(20) : CONFIG.heartbeat();
        for (Duration left = duration; left.isPositive(); left = left.minus(step)) {
            awake.forEach(desktop -> desktop.ok(QueenRequest.newBuilder()
                    .setHeartbeat(Heartbeat.newBuilder().setSpace(desktop.space()))));
            hive.advance(step);
        }
    }

    private TestDesktop come(TestDesktop desktop) {
        awake.add(desktop.registered());
        return desktop;
    }

    private void go(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.disconnect();
    }

    /** It is away, declared lost, and certainly writes nothing any more. */
    private void loseTheWriter() {
        go(writer);
        declareLost("writer");
        advance(LEASE);
    }

    /** Who has the primary since the writer is lost. */
    private TestDesktop heirOf(long inode) {
        return honeycombOf(inode).desktop().equals("second") ? second : third;
    }

    private void declareLost(String desktop) {
        assertThat(lost(desktop).hasFailure()).isFalse();
    }

    private QueenReply lost(String desktop) {
        TestDesktop tool = awake.getLast();
        return tool.send(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop))
                .build());
    }

    private static List<ReplicaName> inventory(TestDesktop desktop, ReplicaName replica) {
        return desktop.ok(QueenRequest.newBuilder()
                        .setInventory(Inventory.newBuilder().addReplicas(replica)))
                .getDrop()
                .getReplicasList();
    }

    private static ReplicaName name(long inode, long epoch, long version) {
        return ReplicaName.newBuilder()
                .setInode(inode)
                .setEpoch(epoch)
                .setVersion(version)
                .build();
    }

    private static ReplicaName secondary(long inode, long epoch, long version) {
        return name(inode, epoch, version).toBuilder().setSecondary(true).build();
    }

    private long underReplicated() {
        return awake.getLast()
                .send(QueenRequest.newBuilder()
                        .setHiveStatus(HiveStatus.getDefaultInstance())
                        .build())
                .getHiveReport()
                .getUnderReplicated();
    }

    private static List<Long> fetched(TestDesktop desktop) {
        return desktop.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .map(fetch -> fetch.getReplica().getInode())
                .toList();
    }

    private Presence presence(TestDesktop desktop) {
        return honeycombs()
                .filter(honeycomb -> honeycomb.desktop().equals(desktop.name()))
                .findFirst()
                .orElseThrow()
                .presence();
    }

    private int attendance(TestDesktop desktop) {
        return honeycombs()
                .filter(honeycomb -> honeycomb.desktop().equals(desktop.name()))
                .findFirst()
                .orElseThrow()
                .attendance()
                .thousandths();
    }

    private Stream<Honeycomb> honeycombs() {
        return hive.queenBee().state().honeycombs().all().stream();
    }

    private Honeycomb honeycombOf(long inode) {
        return hive.queenBee().state().honeycombs().of(hive.inode(inode));
    }

    private List<String> desktopsOf(long inode) {
        return Stream.concat(
                        Stream.of(honeycombOf(inode)),
                        hive.inode(inode)
                                .secondaries()
                                .honeycombs()
                                .mapToObj(hive.queenBee().state().honeycombs()::numbered))
                .map(Honeycomb::desktop)
                .toList();
    }

    private long createCopied(String name) {
        long handle = 1000 + writer.newHandle();
        long inode = writer.ok(Ask.create(ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(inode, handle, written(inode, 1)));
        advance(COHERENCE);
        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
        return inode;
    }

    private static long open(TestDesktop desktop, long inode) {
        long handle = 1000 + desktop.newHandle();
        desktop.ok(Ask.open(inode, handle, false, true));
        return handle;
    }

    private static QueenRequest.Builder touch(TestDesktop desktop, long inode) {
        return Ask.change(SetAttributes.newBuilder()
                .setInode(inode)
                .setHandle(1000 + desktop.newHandle())
                .setMtime(Timestamp.newBuilder().setSeconds(7)));
    }

    private static void rewrite(TestDesktop desktop, long inode, long time) {
        desktop.ok(Ask.release(inode, open(desktop, inode), written(inode, time)));
    }

    /** The time also numbers the observation. */
    private static ReplicaStatus written(long inode, long time) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setObservation(time)
                .setSize(100)
                .setMtime(Timestamp.newBuilder().setSeconds(time))
                .build();
    }
}
