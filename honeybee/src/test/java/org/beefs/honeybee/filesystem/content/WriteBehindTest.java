package org.beefs.honeybee.filesystem.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.Recall;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.hive.HiveFileSystem;
import org.junit.jupiter.api.Test;

/** Writes that are answered before the honeycomb has them. */
class WriteBehindTest extends HeldBackTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);

    @Test
    void shouldAnswerBeforeTheHoneycombDoes() {
        hive.get(write(0, "held"));

        assertThat(hive.honeycomb.content(inode)).isEmpty();
        letGo();
        assertThat(hive.honeycomb.content(inode)).isEqualTo("held");
    }

    @Test
    void shouldTakeSetIdBitsAwayThatAnotherMountHasGiven() {
        FileSystem other = new HiveFileSystem(hive.proxy, hive.honeycombs, hive.timers, FakeHive.CONFIG, false);
        hive.get(other.setAttributes(
                FakeHive.ROOT, inode, new AttributeChange(04755, null, null, null, null, null, null, false)));

        CompletableFuture<Void> written = hive.files.write(handle, 0, bytes("x"), false, true);
        letGo();
        hive.get(written);

        assertThat(hive.get(hive.files.getAttributes(inode)).getMode()).isEqualTo(0100755);
    }

    @Test
    void shouldHoldBackWhatSomebodyWithoutPrivilegeWrites() {
        hive.get(hive.files.write(handle, 0, bytes("held"), false, true));

        assertThat(hive.honeycomb.content(inode)).isEmpty();
    }

    @Test
    void shouldGatherWhatComesWhileSomethingIsUnderWay() {
        for (int i = 0; i < 300; i++) {
            hive.get(write(i * 4L, "%04d".formatted(i)));
        }
        assertThat(writes()).hasSize(1);

        letGo();

        assertThat(writes()).hasSize(2);
        assertThat(hive.honeycomb.content(inode)).startsWith("000000010002").hasSize(1200);
    }

    @Test
    void shouldSendSeveralLargeWritesAtATimeUpToABound() {
        for (int i = 0; i < 8; i++) {
            hive.get(write((long) i * MIB, "x".repeat(MIB)));
        }
        CompletableFuture<Void> ninth = write(8L * MIB, "x".repeat(MIB));

        hive.timers.runDue();
        assertThat(ninth).isNotDone();
        assertThat(writes()).hasSize(8);
        letGo();
        assertThat(ninth).isCompleted();
        assertThat(hive.honeycomb.content(inode)).hasSize(9 * MIB);
    }

    @Test
    void shouldLoseNothingOnASlowNetwork() {
        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;
        hive.network.setRate(50_000);
        for (int i = 0; i < 8; i++) {
            hive.get(write((long) i * MIB, "x".repeat(MIB)));
        }

        CompletableFuture<Void> closed = flush(handle);
        hive.pass(Duration.ofSeconds(160));
        assertThat(closed).isNotDone();
        hive.pass(Duration.ofSeconds(20));

        assertThat(closed).isCompleted();
        assertThat(writes()).hasSize(8);
        assertThat(hive.honeycomb.content(inode)).hasSize(8 * MIB);
    }

    @Test
    void shouldKeepTheOrderOfWritesToOnePlace() {
        hive.get(write(0, "first"));
        CompletableFuture<Void> second = write(2, "SECOND");

        hive.timers.runDue();
        assertThat(second).isNotDone();
        assertThat(writes()).hasSize(1);
        letGo();
        assertThat(second).isCompleted();
        assertThat(hive.honeycomb.content(inode)).isEqualTo("fiSECOND");
    }

    @Test
    void shouldShowThisDesktopAllThatItWasToldIsWritten() {
        hive.get(write(0, "1234567"));

        CompletableFuture<Payload.Bytes> read = hive.files.read(handle, 0, 100);
        CompletableFuture<Attributes> attributes = hive.files.getAttributes(inode);
        hive.timers.runDue();
        assertThat(read).isNotDone();
        assertThat(attributes).isNotDone();

        letGo();
        assertThat(read.join().length()).isEqualTo(7);
        read.join().close();
        assertThat(attributes.join().getSize()).isEqualTo(7);
    }

    @Test
    void shouldNotAskHowLargeTheFileIsThatOnlyThisDesktopWrites() {
        hive.get(write(0, "1234567"));
        letGo();

        assertThat(size()).isEqualTo(7);
        hive.get(truncate(3));
        assertThat(size()).isEqualTo(3);
        assertThat(hive.honeycomb.requestsOf(OperationCase.GET_STATUSES)).isEmpty();
    }

    @Test
    void shouldAskHowLargeTheFileIsAfterARecall() {
        hive.get(write(0, "1234567"));
        letGo();
        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(inode).build()));

        assertThat(size()).isEqualTo(7);

        assertThat(hive.honeycomb.requestsOf(OperationCase.GET_STATUSES)).hasSize(1);
    }

    @Test
    void shouldAskHowLargeTheFileIsWhenAWriteHasFailed() {
        hive.get(write(0, "1234567"));
        letGo();
        hive.honeycomb.failure = Errno.EIO;
        hive.get(write(7, "89"));
        letGo();

        assertThat(size()).isEqualTo(7);

        assertThat(hive.honeycomb.requestsOf(OperationCase.GET_STATUSES)).hasSize(1);
    }

    @Test
    void shouldKnowHowLargeTheFileIsWhenItIsOpenedAgainUnderTheSameLease() {
        hive.get(write(0, "1234567"));
        letGo();
        open();

        assertThat(size()).isEqualTo(7);

        assertThat(hive.honeycomb.requestsOf(OperationCase.GET_STATUSES)).isEmpty();
    }

    @Test
    void shouldAnswerARecallWhenTheHoneycombHasEverything() {
        hive.get(write(0, "held"));

        CompletableFuture<Message<DesktopReply>> recalled =
                hive.queen.recall(Recall.newBuilder().addInodes(inode).build());
        hive.timers.runDue();
        assertThat(recalled).isNotDone();

        letGo();
        assertThat(recalled).isCompleted();
        assertThat(hive.honeycomb.content(inode)).isEqualTo("held");
    }

    @Test
    void shouldHoldNothingBackAfterARecall() {
        hive.queen.recall(Recall.newBuilder().addInodes(inode).build());
        hive.timers.runDue();

        CompletableFuture<Void> written = write(0, "through");

        hive.timers.runDue();
        assertThat(written).isNotDone();
        letGo();
        assertThat(written).isCompleted();
    }

    @Test
    void shouldHoldNothingBackWhenTheQueenBeeIsSilent() {
        hive.queen.setMute(true);
        hive.pass(Duration.ofSeconds(5));

        CompletableFuture<Void> written = write(0, "through");

        hive.timers.runDue();
        assertThat(written).isNotDone();
    }

    @Test
    void shouldReleaseWithWhatTheHoneycombHasAtLast() {
        hive.get(write(0, "held"));
        CompletableFuture<Void> released = hive.files.release(handle);
        hive.timers.runDue();
        assertThat(hive.queen.releases).isEmpty();

        letGo();

        assertThat(released).isCompleted();
        assertThat(hive.queen.releases)
                .singleElement()
                .satisfies(release -> assertThat(release.getStatus().getSize()).isEqualTo(4));
        assertThat(hive.honeycomb.requestsOf(OperationCase.GET_STATUSES)).isEmpty();
    }

    @Test
    void shouldTellEachHandleOnceThatAWriteHasFailed() {
        long other = open();
        hive.get(write(0, "lost"));
        hive.honeycomb.failure = Errno.ENOSPC;
        CompletableFuture<Void> flushed = flush(handle);
        letGo();
        hive.honeycomb.failure = null;

        assertThat(hive.failure(flushed)).isEqualTo(Errno.ENOSPC);
        assertThat(hive.failure(hive.files.sync(handle, false)))
                .as("another process may have closed its copy of the descriptor")
                .isEqualTo(Errno.ENOSPC);
        hive.get(hive.files.sync(handle, false));
        hive.get(flush(handle));
        assertThat(hive.failure(hive.files.sync(other, false))).isEqualTo(Errno.ENOSPC);
        hive.get(flush(other));
        hive.get(flush(open()));
    }

    @Test
    void shouldTellWhoOnlyReadsThatAWriteHasFailed() {
        long reader = hive.get(hive.files.open(FakeHive.ROOT, inode, READ)).handle();
        hive.get(write(0, "lost"));
        hive.honeycomb.failure = Errno.ENOSPC;
        letGo();
        hive.honeycomb.failure = null;
        long later = hive.get(hive.files.open(FakeHive.ROOT, inode, READ)).handle();

        assertThat(hive.failure(hive.files.sync(reader, false))).isEqualTo(Errno.ENOSPC);
        hive.get(hive.files.sync(reader, false));
        hive.get(hive.files.sync(later, false));
    }

    @Test
    void shouldTellWhoOnlyReadsThatAWriteHasFailedThoughItsFileIsClosedByNow() {
        long reader = hive.get(hive.files.open(FakeHive.ROOT, inode, READ)).handle();
        long other = hive.get(hive.files.open(FakeHive.ROOT, inode, READ)).handle();
        hive.get(write(0, "lost"));
        hive.honeycomb.failure = Errno.ENOSPC;
        letGo();
        hive.honeycomb.failure = null;
        hive.get(hive.files.release(handle));

        assertThat(hive.failure(hive.files.sync(reader, false))).isEqualTo(Errno.ENOSPC);
        hive.get(hive.files.sync(reader, false));
        open();
        assertThat(hive.failure(hive.files.sync(other, false)))
                .as("somebody writes it again")
                .isEqualTo(Errno.ENOSPC);
        hive.get(hive.files.sync(other, false));
    }

    @Test
    void shouldTellTheNextWriteThatOneHasFailed() {
        hive.get(write(0, "lost"));
        hive.honeycomb.failure = Errno.EIO;
        letGo();
        hive.honeycomb.failure = null;

        assertThat(hive.failure(write(4, "not written"))).isEqualTo(Errno.EIO);
        hive.get(write(4, "written"));
    }

    /** The kernel would not write them again, and a program that syncs its mapping would hear of no failure. */
    @Test
    void shouldWriteThePagesOfAMappingThoughAnEarlierWriteHasFailed() {
        hive.get(write(0, "lost"));
        hive.honeycomb.failure = Errno.ENOSPC;
        letGo();
        hive.honeycomb.failure = null;

        hive.get(hive.files.writePages(handle, 0, bytes("mapped"), false));
        letGo();

        assertThat(hive.honeycomb.content(inode)).isEqualTo("mapped");
        assertThat(hive.failure(hive.files.sync(handle, false))).isEqualTo(Errno.ENOSPC);
        hive.get(hive.files.sync(handle, false));
    }

    @Test
    void shouldBringEverythingToTheHoneycombBeforeItsDisk() {
        hive.get(write(0, "first"));
        hive.get(write(5, "then"));
        CompletableFuture<Void> synced = hive.files.sync(handle, false);
        hive.timers.runDue();
        assertThat(hive.honeycomb.requestsOf(OperationCase.SYNC)).isEmpty();

        letGo();

        assertThat(synced).isCompleted();
        assertThat(hive.honeycomb.content(inode)).isEqualTo("firstthen");
    }

    @Test
    void shouldNotHoldBackAppends() {
        CompletableFuture<Void> appended = hive.files.write(handle, 0, bytes("line"), true, false);

        hive.timers.runDue();
        assertThat(appended).isNotDone();
        letGo();
        assertThat(appended).isCompleted();
    }
}
