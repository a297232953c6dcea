package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.EndedFile;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.api.Test;

/** What becomes of content when the queen-bee loses her power, and with it what decides about it. */
class LostReleasesTest extends LosingPowerTest {
    @Test
    void shouldAskWhatAFileIsLikeThatWasClosedAndWhoseOpenIsLost() {
        long file = inode(one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode());
        flush();
        one.ok(Ask.open(file, 1, true, true));

        losePower();
        begin(one, register(one).addEnding(file));
        come(two);

        assertThat(received()).anyMatch(DesktopRequest::hasExamine);
    }

    @Test
    void shouldAskWhatAFileIsLikeWhoseEndIsLost() {
        long file = inode(one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode());
        flush();
        long opened = one.ok(Ask.open(file, 1, true, true)).getSequence();

        losePower();
        begin(one, register(one).addEnded(ended(file, opened)));
        come(two);

        assertThat(received()).anyMatch(DesktopRequest::hasExamine);
    }

    @Test
    void shouldAskWhatAFileIsLikeThoughTheLossWasBeforeHerLastStart() {
        long file = inode(one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode());
        flush();
        one.ok(Ask.open(file, 1, true, true));
        losePower();
        begin(two, register(two));
        hive.advance(GRACE); // she has waited for one in vain
        flush();

        hive.restart();
        begin(one, register(one).addEnding(file));
        come(two);

        assertThat(received()).anyMatch(DesktopRequest::hasExamine);
    }

    @Test
    void shouldAskNothingAboutAFileWhoseEndIsNotLost() {
        losePower();
        come(one);
        come(two);
        long file = one.createWritten(
                "file", inode -> one.replica(inode, ReplicaStatus.newBuilder().setSize(1)));
        flush();
        QueenReply later = one.ok(Ask.lookup(ROOT, "file"));
        durable = later.getDurableSequence();

        begin(one, register(one).addEnded(ended(file, durable)));
        begin(one, register(one).addEnding(file));

        assertThat(hive.inode(file).dirty()).isFalse();
        assertThat(received()).noneMatch(DesktopRequest::hasExamine);
    }

    @Test
    void shouldAskWhatAFileIsLikeThatWasClosedAndThatAnotherDesktopHasMadeLast() {
        long made = inode(change(two, Ask.mknod(ROOT, "made", 0100644)).getNode());
        one.ok(Ask.open(made, 1, true, true));

        losePower();
        CompletableFuture<QueenReply> first = begin(one, register(one).addEnding(made));
        assertThat(first).isNotDone();
        come(two);

        assertThat(first).isDone();
        assertThat(received()).anyMatch(DesktopRequest::hasExamine);
    }

    @Test
    void shouldRefuseMoreClosedFilesThanADesktopCanHave() {
        int most = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"))
                        .maxOpenFiles()
                + 16_384;
        Register.Builder register = register(one)
                .addAllEnding(LongStream.range(0, most - 1).boxed().toList())
                .addEnded(ended(most, durable));
        assertThat(begin(one, register).join().hasRegistered()).isTrue();

        register.addEnding(most);

        assertThat(begin(one, register).join().getFailure().getErrno()).isEqualTo(Errno.ENFILE.number());
    }

    @Test
    void shouldLetNobodyWaitForWhoHasClosedWhatIsGone() {
        long gone = inode(one.ok(Ask.mknod(ROOT, "gone", 0100644)).getNode());
        long removed = one.ok(Ask.unlink(ROOT, "gone")).getSequence();

        hive.restart();
        begin(one, register(one).addEnded(ended(gone, removed)));

        assertThat(hive.queenBee().state().lostChanges().isPending()).isFalse();
    }

    /** As of a temporary file, when only her process has ended: nothing is lost, and all would wait. */
    @Test
    void shouldLetNobodyWaitForWhoHasNotHeardThatWhatHeClosedIsGone() {
        long gone = inode(one.ok(Ask.mknod(ROOT, "gone", 0100644)).getNode());
        one.ok(Ask.unlink(ROOT, "gone"));
        flush();

        hive.restart();
        begin(one, register(one).addEnding(gone));

        assertThat(hive.queenBee().state().lostChanges().isPending()).isFalse();
    }

    @Test
    void shouldSayWithEachReleaseUpToWhichChangeItsOpenMayBeLost() {
        long file = inode(one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode());
        flush();
        hive.restart();
        begin(one, register(one));
        hive.advance(GRACE);

        long opened = one.ok(Ask.open(file, 1, true, true)).getSequence();
        QueenReply released = one.ok(Ask.release(file, 1)); // decides nothing before two has come

        assertThat(opened).isPositive();
        assertThat(released.getSequence()).isGreaterThanOrEqualTo(opened);
    }

    @Test
    void shouldRemoveNoReplicaBeforeItIsOnDiskThatItsFileIsGone() {
        one.createWritten(
                "file", inode -> one.replica(inode, ReplicaStatus.newBuilder().setSize(1)));
        flush();

        one.ok(Ask.unlink(ROOT, "file"));
        assertThat(received()).noneMatch(DesktopRequest::hasDrop);
        flush();

        assertThat(received()).anyMatch(DesktopRequest::hasDrop);
    }

    @Test
    void shouldHaveNoListedReplicaRemovedBeforeItIsOnDiskThatItsFileIsGone() {
        long file = one.createWritten(
                "file", inode -> one.replica(inode, ReplicaStatus.newBuilder().setSize(1)));
        flush();
        ReplicaName listed = hive.inode(file).replicaName().build();
        one.ok(Ask.unlink(ROOT, "file"));

        CompletableFuture<QueenReply> answer = one.submit(
                QueenRequest.newBuilder().setInventory(Inventory.newBuilder().addReplicas(listed)));
        assertThat(answer).isNotDone();
        flush();

        assertThat(answer.join().getDrop().getReplicasList())
                .extracting(ReplicaName::getInode)
                .containsExactly(file);
    }

    private List<DesktopRequest> received() {
        return Stream.concat(one.received().stream(), two.received().stream()).toList();
    }

    private static EndedFile ended(long inode, long change) {
        return EndedFile.newBuilder().setInode(inode).setChange(change).build();
    }
}
