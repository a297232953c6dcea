package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DrainReport;
import org.beefs.common.wire.FileSystemStatus;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

/** When replicas leave a honeycomb, which ones, and what is made in their place first. */
class RelocationTest extends LeavingReplicasTest {
    @Test
    void shouldEmptyADrainedDesktopAndKeepTheReplicationLevel() {
        List<Long> inodes = createCopied(5);
        come("fourth");

        writer.ok(Ask.drain("writer", false));
        hive.advance(awake, A_WHILE);

        assertThat(inodes)
                .allSatisfy(
                        inode -> assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("second", "third", "fourth"));
        assertThat(inodes)
                .allSatisfy(inode ->
                        assertThat(hive.inode(inode).secondaries().areCurrent()).isTrue());
        assertThat(writer.dropped()).containsExactlyInAnyOrderElementsOf(inodes);
        assertThat(drain("writer"))
                .isEqualTo(DrainReport.newBuilder().setCounted(true).build());
    }

    @Test
    void shouldMakeTheReplacementBeforeAReplicaGoes() {
        long inode = createCopied(1).getFirst();
        TestDesktop fourth = come("fourth");
        fourth.holdAnswers();

        writer.ok(Ask.drain("second", false));
        hive.advance(awake, A_WHILE);

        assertThat(second.dropped()).isEmpty();
        assertThat(hive.inode(inode).secondaries().current()).contains(hive.number("second"));
        fourth.answerHeld();
        hive.advance(awake, A_WHILE);
        assertThat(second.dropped()).containsExactly(inode);
    }

    @Test
    void shouldPutNothingNewOnADrainedDesktop() {
        come("fourth");
        writer.ok(Ask.drain("writer", false));

        List<Long> inodes = createCopied(10);

        assertThat(inodes)
                .allSatisfy(inode -> assertThat(desktopsOf(inode)).hasSize(3).doesNotContain("writer"));
    }

    @Test
    void shouldRememberADrainOverARestart() {
        writer.ok(Ask.drain("writer", false));

        hive.restart();

        assertThat(honeycomb("writer").isDraining()).isTrue();
        assertThat(honeycomb("second").isDraining()).isFalse();
    }

    @Test
    void shouldWaitForAFileThatIsOpenAndNameIt() {
        long inode = createCopied(1).getFirst();
        long handle = 5000;
        third.ok(Ask.open(inode, handle, true, false));

        writer.ok(Ask.drain("writer", false));
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(inode)).contains("writer");
        assertThat(drain("writer").getReplicas()).isEqualTo(1);
        assertThat(drain("writer").getInUse()).isEqualTo(1);
        assertThat(drain("writer").getExamplesList()).containsExactly("/f0");
        third.ok(Ask.release(inode, handle));
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).doesNotContain("writer");
    }

    @Test
    void shouldNeverRemoveTheLastCurrentReplica() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "1"));
        long inode = createCopied(1).getFirst();
        second.setAvailable(0);
        third.setAvailable(0);

        writer.ok(Ask.drain("writer", false));
        hive.advance(awake, A_WHILE.multipliedBy(3));

        assertThat(desktopsOf(inode)).containsExactly("writer");
        assertThat(drain("writer").getStuck()).isEqualTo(1);
        assertThat(writer.dropped()).isEmpty();
    }

    @Test
    void shouldNotTakeAnAbsentDesktopsReplicaForEnough() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "2"));
        long inode = createCopied(1).getFirst();
        TestDesktop other = desktopsOf(inode).contains("second") ? second : third;
        TestDesktop free = other == second ? third : second;
        awake.remove(other);
        other.disconnect();
        free.setAvailable(0);

        writer.ok(Ask.drain("writer", false));
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(inode)).startsWith("writer");
        assertThat(writer.dropped()).isEmpty();
    }

    @Test
    void shouldLetReplicasComeAgainWhenADrainIsCancelled() {
        long inode = createCopied(1).getFirst();
        writer.ok(Ask.drain("writer", false));
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("second", "third");

        writer.ok(Ask.drain("writer", true));
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "second", "third");
        assertThat(report("writer").hasDrain()).isFalse();
    }

    @Test
    void shouldRefuseToDrainWhatIsNotThere() {
        assertThat(writer.fails(Ask.drain("nobody", false))).isEqualTo(Errno.ENODEV);
    }

    @Test
    void shouldMakeRoomUpToTheHighWaterMarkWithWhatWasUsedLongestAgo() {
        List<Long> inodes = createCopied(20);

        writer.setSpace(100 * MIB, 96 * MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));
        writer.setSpace(100 * MIB, 90 * MIB); // what it reports when they have left
        hive.advance(awake, A_WHILE);

        assertThat(inodes.subList(0, 6))
                .allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("second", "third"));
        assertThat(inodes.subList(6, 20))
                .allSatisfy(inode -> assertThat(desktopsOf(inode)).startsWith("writer"));
    }

    @Test
    void shouldLetSecondariesGoBeforePrimaries() {
        List<Long> inodes = createCopied(10);
        come("fourth");
        List<Long> own = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            own.add(create(second, "own" + i));
        }
        hive.advance(awake, A_WHILE);

        second.setSpace(100 * MIB, 96 * MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));
        second.setSpace(100 * MIB, 90 * MIB);
        hive.advance(awake, A_WHILE);

        assertThat(own).allSatisfy(inode -> assertThat(desktopsOf(inode)).startsWith("second"));
        assertThat(inodes.stream().filter(inode -> !desktopsOf(inode).contains("second")))
                .hasSize(6);
        assertThat(inodes).allSatisfy(inode -> assertThat(desktopsOf(inode)).hasSize(3));
    }

    @Test
    void shouldSayThatADrainedDesktopKeepsWhatMustBeOnSoManyDisks() {
        go(third);
        long inode = create(writer, "promised");
        writer.ok(Ask.setXattr(inode, "beefs.p_factor", "2"));
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).containsExactly("writer", "second");

        writer.ok(Ask.drain("writer", false));
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).containsExactly("writer", "second");
        assertThat(drain("writer").getStuck()).isEqualTo(1);

        awake.add(third.registered());
        hive.advance(awake, A_WHILE);
        assertThat(desktopsOf(inode)).containsExactly("second", "third");
    }

    @Test
    void shouldLetOthersGoInThePlaceOfWhatMustBeOnSoManyDisks() {
        go(third);
        List<Long> promised = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            promised.add(create(writer, "promised" + i));
            writer.ok(Ask.setXattr(promised.getLast(), "beefs.p_factor", "2"));
        }
        hive.advance(awake, A_WHILE);
        List<Long> plain = createCopied(8);

        writer.setSpace(100 * MIB, 96 * MIB);
        hive.advance(awake, CONFIG.heartbeat().multipliedBy(2));
        writer.setSpace(100 * MIB, 90 * MIB);
        hive.advance(awake, A_WHILE);

        assertThat(promised).allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("writer", "second"));
        assertThat(plain)
                .filteredOn(inode -> !desktopsOf(inode).contains("writer"))
                .hasSize(6);
    }

    @Test
    void shouldEmptyAHoneycombThatMayTakeNothingAnyMore() {
        List<Long> inodes = createCopied(5);

        writer.setSpace(0, 5 * MIB);
        hive.advance(awake, A_WHILE);

        assertThat(inodes)
                .allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("second", "third"));
    }

    @Test
    void shouldKeepWhatCouldNotLeaveInTime() {
        List<Long> inodes = createCopied(3);
        TestDesktop fourth = come("fourth");
        fourth.holdAnswers();
        writer.setSpace(100 * MIB, 96 * MIB);
        hive.advance(awake, A_WHILE);
        assertThat(honeycomb("writer").isMakingRoom()).isTrue();

        writer.setSpace(100 * MIB, 50 * MIB);
        hive.advance(awake, Duration.ofMinutes(11));
        fourth.answerHeld();
        hive.advance(awake, A_WHILE);

        assertThat(inodes).allSatisfy(inode -> assertThat(desktopsOf(inode)).startsWith("writer"));
    }

    @Test
    void shouldLeaveAloneWhatIsBeingWritten() {
        List<Long> inodes = createCopied(3);
        writer.ok(Ask.open(inodes.getFirst(), 7000, false, true));

        writer.setSpace(100 * MIB, 99 * MIB);
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(inodes.getFirst())).startsWith("writer");
        assertThat(desktopsOf(inodes.get(1))).doesNotContain("writer");
    }

    /** Sizes are unsigned on the wire. */
    @Test
    void shouldTakeImpossibleSpaceForNone() {
        createCopied(1);
        writer.setSpace(100 * MIB, 99 * MIB);
        writer.setAvailable(Long.MIN_VALUE);

        hive.advance(awake, A_WHILE);

        assertThat(honeycomb("writer").available()).isZero();
        writer.setSpace(-1, -1);
        writer.register(writer.register());
        assertThat(honeycomb("writer").usable()).isZero();
        writer.ok(Ask.create(ROOT, "more", 0644, writer.newHandle()).setAvailable(-1));
        assertThat(honeycomb("writer").available()).isZero();
        hive.advance(awake, A_WHILE);
    }

    @Test
    void shouldNotBelieveInMoreSpaceThanCanBeCountedTogether() {
        writer.setSpace(Long.MAX_VALUE, Long.MAX_VALUE);
        writer.setAvailable(Long.MAX_VALUE);

        hive.advance(awake, A_WHILE);

        assertThat(honeycomb("writer").usable()).isPositive();
        assertThat(writer.ok(QueenRequest.newBuilder().setFileSystemStatus(FileSystemStatus.getDefaultInstance()))
                        .getFileSystemSpace()
                        .getCapacity())
                .isPositive();
    }

    @Test
    void shouldSayOnceThatNothingCanLeave() {
        writer.ok(Ask.setXattr(ROOT, "beefs.replicas", "1"));
        createCopied(2);
        second.setAvailable(0);
        third.setAvailable(0);
        writer.setSpace(100 * MIB, 99 * MIB);

        try (LogLines log = new LogLines("org.beefs.queenbee")) {
            hive.advance(awake, Duration.ofMinutes(5));
            assertThat(log.warnings().stream().filter(line -> line.contains("no replica can leave it")))
                    .hasSize(1);
        }
    }

    @Test
    void shouldCopyNothingThatWouldHaveToLeaveAgain() {
        second.setSpace(100 * MIB, 89 * MIB + MIB / 2);

        List<Long> inodes = createCopied(2);

        assertThat(inodes)
                .allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactlyInAnyOrder("writer", "third"));
    }

    @Test
    void shouldChooseAHoneycombForNoMoreThanItHasRoomFor() {
        second.setSpace(100 * MIB, 85 * MIB);
        second.holdAnswers();
        third.setAvailable(0);

        List<Long> inodes = createCopied(10);

        assertThat(inodes.stream().filter(inode -> desktopsOf(inode).contains("second")))
                .hasSize(5);
    }

    @Test
    void shouldNotCountWhatAnInventoryShowsAsYetToCome() {
        second.setSpace(100 * MIB, 85 * MIB);
        second.holdAnswers();
        third.setAvailable(0);
        List<Long> copied = createCopied(5);
        assertThat(copied).allSatisfy(inode -> assertThat(desktopsOf(inode)).containsExactly("writer", "second"));
        writer.setPaused(Duration.ofHours(1)); // so that none is asked for again
        hive.advance(awake, CONFIG.heartbeat());

        second.disconnect();
        second.register(second.register());
        second.ok(QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addAllReplicas(copied.stream().map(this::secondary).toList())));
        second.inventoried();
        second.answerHeld();
        writer.setPaused(Duration.ZERO);
        hive.advance(awake, A_WHILE);
        long further = create(writer, "further");
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(further)).containsExactly("writer", "second");
    }

    @Test
    void shouldMakeMissingReplicasWhenThereIsRoomAgain() {
        second.setSpace(100 * MIB, 95 * MIB);
        third.setSpace(100 * MIB, 95 * MIB);
        long inode = createCopied(1).getFirst();
        assertThat(desktopsOf(inode)).containsExactly("writer");

        second.setSpace(100 * MIB, 50 * MIB);
        hive.advance(awake, A_WHILE);

        assertThat(desktopsOf(inode)).containsExactly("writer", "second");
    }

    @Test
    void shouldCountWhatIsNotAsItShouldBe() {
        long inode = createCopied(1).getFirst();
        assertThat(status().getUnderReplicated()).isZero();

        writer.ok(Ask.release(inode, writer.openToWrite(inode), written(inode, 2)));
        hive.advance(awake, CONFIG.heartbeat());

        assertThat(status().getUnderReplicated())
                .as("others need not have it before its time to coherence")
                .isZero();
        assertThat(status().getStale()).isEqualTo(2);
        assertThat(status().getBytesToCopy()).isEqualTo(2 * MIB);
        hive.advance(awake, A_WHILE);
        assertThat(status().getUnderReplicated()).isZero();
        assertThat(status().getStale()).isZero();
        assertThat(status().getCopyRate()).isPositive();
    }
}
