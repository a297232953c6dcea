package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

/** What becomes of the replicas of a desktop that was given up and comes back. */
class ReturningDesktopTest extends ComingAndGoingTest {
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
        advance(Retries.LONGEST_PAUSE.multipliedBy(2));

        assertThat(hive.inode(inode).secondaries().isCurrent(hive.number("second")))
                .isTrue();
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "second", "third");
        assertThat(second.received()).noneMatch(request -> request.hasDrop());
        assertThat(fourth.received()).anyMatch(request -> request.hasDrop());
        assertThat(fetched(fourth)).as("no more copies").hasSize(asked);
    }

    @Test
    void shouldTakeAReturningReplicaInThatTheFileLacksThoughSomebodyWritesIt() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        long version = hive.inode(inode).version();
        List.of(second, third).forEach(this::go);
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));
        long handle = open(writer, inode);

        for (TestDesktop desktop : List.of(second, third)) {
            desktop.register(desktop.register());
            awake.add(desktop);
            assertThat(inventory(desktop, secondary(inode, epoch, version))).isEmpty();
            desktop.inventoried();
        }
        advance(CONFIG.heartbeat().multipliedBy(2));

        assertThat(hive.inode(inode).dirty()).isTrue();
        assertThat(hive.inode(inode).secondaries().countCurrent()).isEqualTo(2);
        assertThat(second.dropped()).isEmpty();
        writer.ok(Ask.release(inode, handle));
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

    /** A loss of power would take the copy's number, and its honeycomb would have nothing else of the changes. */
    @Test
    void shouldHaveNoConflictCopyMadeBeforeItsNumberIsOnDisk() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        open(writer, inode);
        loseTheWriter();
        writer.registered();
        awake.add(writer);
        hive.runFlushes();
        hive.holdFlushes();

        assertThat(inventory(writer, name(inode, epoch, 0))).isEmpty();
        writer.ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
        hive.run();
        assertThat(writer.received()).noneMatch(request -> request.hasAdopt());

        hive.runFlushes(); // begun at once, however long the interval is

        assertThat(writer.received()).anyMatch(request -> request.hasAdopt());
    }

    @Test
    void shouldBringThePrimaryBackToWhereTheFileHasStayedOpen() {
        long inode = createCopied("f");
        ReplicaName former = former(inode);
        loseTheWriter();

        comeBackWithItOpen(inode);
        assertThat(inventory(writer, former)).isEmpty();
        advance(CONFIG.heartbeat().multipliedBy(2));

        assertThat(desktopsOf(inode).getFirst()).isEqualTo("writer");
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "second", "third");
        assertThat(writer.received()).noneMatch(request -> request.hasDrop());
    }

    @Test
    void shouldKeepWhatHasStayedOpenThereAsAnExtraReplicaWhileOthersHaveItOpenToo() {
        long inode = createCopied("f");
        ReplicaName former = former(inode);
        come(new TestDesktop(hive, "fourth"));
        loseTheWriter();
        advance(COHERENCE);
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("second", "third", "fourth");
        TestDesktop reader = heirOf(inode);
        reader.ok(Ask.open(inode, 55, true, false));

        comeBackWithItOpen(inode);
        assertThat(inventory(writer, former)).isEmpty();
        writer.inventoried();
        advance(COHERENCE);
        assertThat(desktopsOf(inode).getFirst()).isEqualTo(reader.name());
        assertThat(hive.inode(inode).secondaries().isExtra(hive.number("writer")))
                .isTrue();

        assertThat(writer.ok(openPast(inode, 78)).getNode().getLayout().getDesktop())
                .isEqualTo(reader.name());
    }

    @Test
    void shouldHaveAnOpenWaitUntilItIsKnownWhatTheDesktopHasOpen() {
        long inode = createCopied("f");
        ReplicaName former = former(inode);
        loseTheWriter();
        comeBackWithItOpen(inode);

        CompletableFuture<QueenReply> opened = writer.submit(openPast(inode, 78));
        hive.run();
        assertThat(opened).isNotDone();

        assertThat(inventory(writer, former)).isEmpty();
        writer.inventoried();
        hive.run();
        assertThat(opened)
                .isCompletedWithValueMatching(
                        reply -> reply.getNode().getLayout().getDesktop().equals("writer"));
    }

    @Test
    void shouldDropWhatStaysOpenThereAndHasBeenChangedElsewhere() {
        long inode = createCopied("f");
        ReplicaName former = former(inode);
        loseTheWriter();
        TestDesktop heir = heirOf(inode);
        long handle = open(heir, inode);
        heir.ok(Ask.release(inode, handle, written(inode, 2)));
        advance(COHERENCE);

        comeBackWithItOpen(inode);

        assertThat(inventory(writer, former)).isNotEmpty();
        writer.inventoried();
        writer.ok(openPast(inode, 78));
        assertThat(desktopsOf(inode).getFirst()).isEqualTo(heir.name());
    }

    private void comeBackWithItOpen(long inode) {
        writer.register(writer.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(77)));
        awake.add(writer);
    }

    private static QueenRequest.Builder openPast(long inode, long handle) {
        QueenRequest.Builder open = Ask.open(inode, handle, true, false);
        open.getOpenBuilder().setPassthrough(true);
        return open;
    }

    /** As its primary's desktop tells of a file. */
    private ReplicaName former(long inode) {
        return name(inode, hive.inode(inode).epoch(), hive.inode(inode).version());
    }

    /** Who has the primary since the writer is lost. */
    private TestDesktop heirOf(long inode) {
        return honeycombOf(inode).desktop().equals("second") ? second : third;
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
}
