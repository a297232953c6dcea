package org.beefs.honeybee.filesystem.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.QueenRequest;
import org.beefs.honeybee.fake.FakeHive;
import org.junit.jupiter.api.Test;

/** Writes that were answered, and are not at the honeycomb when the write lease may end. */
class LostWriteLeaseTest extends HeldBackTest {
    @Test
    void shouldRegisterAgainWhenTheHoneycombHasEverything() {
        hive.get(write(0, "held"));
        hive.queen.breakConnections();
        hive.pass(Duration.ofSeconds(1));
        assertThat(hive.queen.registers).hasSize(1);

        letGo();

        hive.pass(Duration.ofSeconds(1));
        assertThat(hive.queen.registers).hasSize(2);
    }

    @Test
    void shouldNotWriteOverWhatOthersHaveWrittenMeanwhile() {
        hive.get(write(0, "held"));
        hive.queen.overtaken = List.of(inode);
        hive.queen.breakConnections();
        hive.pass(Duration.ofSeconds(3));
        assertThat(hive.queen.registers.getLast().getHeldBackList()).containsExactly(inode);
        hive.honeycomb.breakConnections();
        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;

        hive.pass(Duration.ofSeconds(1));

        assertThat(hive.honeycomb.content(inode)).isEmpty();
        assertThat(hive.failure(hive.files.sync(handle, false))).isEqualTo(Errno.EIO);
        hive.get(write(0, "written since"));
    }

    @Test
    void shouldGoOnWritingWhatOthersHaveNotUsedMeanwhile() {
        hive.get(write(0, "held"));
        hive.queen.breakConnections();
        hive.pass(Duration.ofSeconds(3));
        hive.honeycomb.breakConnections();
        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;

        hive.pass(Duration.ofSeconds(1));

        assertThat(hive.honeycomb.content(inode)).isEqualTo("held");
    }

    /** As a process that was stopped, or on a machine that has slept, where no timer has run. */
    @Test
    void shouldNotSendAfterAStandstillWhatOthersHaveWrittenOver() {
        hive.get(write(0, "first"));
        hive.get(write(5, "gathered"));
        hive.queen.overtaken = List.of(inode);
        hive.timers.clock().advance(Duration.ofSeconds(7));

        letGo();
        hive.pass(Duration.ofSeconds(1));

        assertThat(hive.queen.registers.getLast().getHeldBackList()).containsExactly(inode);
        assertThat(writes()).noneMatch(write -> write.getOffset() == 5);
        assertThat(hive.failure(hive.files.sync(handle, false))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldAskTheQueenBeeAfterAStandstillBeforeItSendsWhatItHoldsBack() {
        hive.get(write(0, "first"));
        hive.get(write(5, "gathered"));
        hive.queen.held = QueenRequest.OperationCase.REGISTER;
        hive.timers.clock().advance(Duration.ofSeconds(7));

        letGo();
        hive.pass(Duration.ofSeconds(1));
        assertThat(writes()).noneMatch(write -> write.getOffset() == 5);

        hive.queen.letGo();
        hive.pass(Duration.ofSeconds(1));
        assertThat(hive.queen.registers.getLast().getHeldBackList()).containsExactly(inode);
        assertThat(hive.honeycomb.content(inode)).isEqualTo("firstgathered");
        hive.get(hive.files.sync(handle, false));
    }

    @Test
    void shouldCutOffWhatIsUnderWayWhenLeasesMayHaveEnded() {
        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;
        hive.network.setRate(50_000);
        hive.get(write(0, "x".repeat(300_000)));
        hive.queen.overtaken = List.of(inode);
        hive.pass(Duration.ofMillis(10)); // it is on its way
        hive.queen.setMute(true);
        hive.pass(Duration.ofSeconds(7));

        hive.queen.setMute(false);
        hive.pass(Duration.ofSeconds(60));
        hive.network.setRate(0);

        assertThat(hive.queen.registers.getLast().getHeldBackList()).containsExactly(inode);
        assertThat(hive.honeycomb.content(inode)).isEmpty();
        assertThat(hive.failure(hive.files.sync(handle, false))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldCutOffWhatIsUnderWayBeforeItRegisters() {
        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;
        hive.network.setRate(50_000);
        hive.get(write(0, "x".repeat(MIB)));
        hive.pass(Duration.ofMillis(10)); // it is on its way
        hive.queen.held = QueenRequest.OperationCase.REGISTER;
        hive.queen.breakConnections();

        hive.pass(Duration.ofSeconds(25));
        assertThat(writes()).isEmpty();

        hive.queen.letGo();
        hive.queen.held = QueenRequest.OperationCase.OPERATION_NOT_SET;
        hive.pass(Duration.ofSeconds(60));
        assertThat(hive.honeycomb.content(inode)).hasSize(MIB);
    }

    @Test
    void shouldNotMindAShortSilence() {
        hive.get(write(0, "first"));
        hive.get(write(5, "gathered"));
        hive.timers.clock().advance(Duration.ofMillis(3_900));

        letGo();

        assertThat(writes()).hasSize(2);
        assertThat(hive.queen.registers).hasSize(1);
        assertThat(hive.honeycomb.content(inode)).isEqualTo("firstgathered");
    }

    @Test
    void shouldNotAskForLeaveAfterASilenceInWhichNothingWasHeldBack() {
        hive.timers.clock().advance(Duration.ofSeconds(7));
        hive.pass(Duration.ofSeconds(3));
        open();

        hive.get(write(0, "held"));
        letGo();

        assertThat(hive.honeycomb.content(inode)).isEqualTo("held");
        assertThat(hive.queen.registers).hasSize(1);
    }

    @Test
    void shouldTellWhoClosesWhenTheQueenBeeCannotBeAskedInTime() {
        hive.get(write(0, "first"));
        hive.get(write(5, "gathered"));
        hive.queen.stop();
        hive.pass(Duration.ofSeconds(5));
        CompletableFuture<Void> closed = flush(handle);
        letGo();
        assertThat(closed).isNotDone();

        hive.pass(FakeHive.CONFIG.patience());

        assertThat(hive.failure(closed)).isEqualTo(Errno.EIO);
        assertThat(writes()).noneMatch(write -> write.getOffset() == 5);
    }
}
