package org.beefs.honeybee.filesystem.content;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.cache.RecordingKernel;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A file that is open here has got another primary, on desktop3, and the former one on desktop2 has not been told: it
 * still takes what comes for it.
 */
class MovedPrimaryTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final FakeHive hive = new FakeHive();
    private final FakeHoneycomb former = hive.honeycomb;
    private final FakeHoneycomb present = new FakeHoneycomb(hive.network, hive.timers, "desktop3");
    private long inode;

    @BeforeEach
    void start() {
        present.start(0);
        present.epoch = 2;
        hive.queen.grants = true;
        hive.get(hive.session.start());
        inode = hive.queen.addFile(
                "f", former.layout(), Attributes.newBuilder().setMode(0100644).setSize(6));
        put(former, "former");
        put(present, "newest");
    }

    @Test
    void shouldReadAtThePresentPrimaryThroughWhatWasOpenInAnEarlierSession() {
        long handle = open(READ);
        assertThat(read(handle)).isEqualTo("former");

        loseTheSession();

        assertThat(read(handle)).isEqualTo("newest");
    }

    @Test
    void shouldWriteAtThePresentPrimaryThroughWhatWasOpenInAnEarlierSession() {
        long handle = open(WRITE);
        loseTheSession();

        hive.get(write(handle, "WRITTEN"));
        hive.get(hive.files.sync(handle, false));

        assertThat(present.content(inode)).isEqualTo("WRITTEN");
        assertThat(former.content(inode)).isEqualTo("former");
    }

    /** As on a laptop that has left the network again since. */
    @Test
    void shouldGoOnReadingWhereTheFileWasWhileTheQueenBeeIsAway() {
        long handle = open(READ);
        loseTheSession();
        hive.queen.stop();
        hive.pass(A_MOMENT);

        assertThat(read(handle)).isEqualTo("former");
    }

    /** She serves what she knows, and takes no writers. */
    @Test
    void shouldGoOnReadingWhatIsOpenToWriteWhileNothingMayBeChanged() {
        long handle = open(WRITE);
        hive.queen.isReadOnly = true;
        loseTheSession();

        assertThat(read(handle)).isEqualTo("former");
    }

    /** A desktop that was lost is replaced while others have its files open, and returns with what it had. */
    @Test
    void shouldReadAtThePresentPrimaryWhenTheFileWasRecalledSince() {
        long handle = open(READ);
        assertThat(read(handle)).isEqualTo("former");
        hive.queen.node(inode).setLayout(movedTo(present));

        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(inode).build()));

        assertThat(read(handle)).isEqualTo("newest");
    }

    /** What the answer to an open changes is taken from other mounts' kernels before a program has the file. */
    @Test
    void shouldReadAtThePresentPrimaryWhenTheFileWasRecalledBeforeTheProgramHadIt() {
        hive.queen.layout(inode).setReadable(false); // so she is asked to open it
        Lifetimes elsewhere = hive.session.cache().view().attach(new RecordingKernel());
        elsewhere.changedAttributes(hive.get(hive.files.getAttributes(inode)));
        hive.queen.node(inode).getAttributesBuilder().setLinks(2);
        CompletableFuture<OpenedFile> opened = hive.files.open(FakeHive.ROOT, inode, READ);
        hive.timers.runDue();
        assertThat(opened).isNotDone();
        hive.queen.node(inode).setLayout(movedTo(present));

        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(inode).build()), A_MOMENT);

        assertThat(read(hive.get(opened, A_MOMENT).handle())).isEqualTo("newest");
    }

    /** The queen-bee does not wait for who is silent. */
    @Test
    void shouldReadAtThePresentPrimaryAfterARegistrationInTheSameSession() {
        long handle = open(READ);
        assertThat(read(handle)).isEqualTo("former");
        hive.queen.node(inode).setLayout(movedTo(present));

        registerAgain();

        assertThat(read(handle)).isEqualTo("newest");
    }

    @Test
    void shouldReadWhereTheQueenBeeSaysAlsoIfARegistrationHasToldHerOfTheOpen() {
        hive.get(hive.files.lookup(FakeHive.ROOT, 1, FakeHive.bytes("f")));
        hive.queen.node(inode).setLayout(movedTo(present));
        long handle = open(READ);

        registerAgain();

        assertThat(read(handle)).isEqualTo("newest");
    }

    /** The lease on attributes outlives a move of the primary, and a file may be opened under it. */
    @Test
    void shouldReadWhereTheQueenBeeSaysWhenSheHearsOfAnOpenThatWasDecidedHere() {
        hive.get(hive.files.lookup(FakeHive.ROOT, 1, FakeHive.bytes("f")));
        hive.queen.node(inode).setLayout(movedTo(present));
        long handle = open(READ);

        hive.pass(A_MOMENT);

        assertThat(read(handle)).isEqualTo("newest");
    }

    /** A program then reads and writes instead. */
    @Test
    void shouldNotCopyInTheHoneycombWhereTheSourceWasInAnEarlierSession() {
        long target =
                hive.queen.addFile("g", former.layout(), Attributes.newBuilder().setMode(0100644));
        long source = open(READ);
        long written = hive.get(hive.files.open(FakeHive.ROOT, target, WRITE)).handle();
        loseTheSession();

        assertThat(hive.failure(hive.files.copy(source, 0, written, 0, 6, false)))
                .isEqualTo(Errno.EXDEV);
    }

    @Test
    void shouldKnowWhatATargetIsLikeThatNothingWasCopiedTo() {
        long source = hive.queen.addFile(
                "g", present.layout(), Attributes.newBuilder().setMode(0100644).setSize(6));
        long read = hive.get(hive.files.open(FakeHive.ROOT, source, READ)).handle();
        long target = open(WRITE);
        hive.get(write(target, "WRITTEN"));

        assertThat(hive.failure(hive.files.copy(read, 0, target, 0, 6, false))).isEqualTo(Errno.EXDEV);
        hive.get(hive.files.release(target));

        assertThat(hive.queen.releases.getLast().hasStatus()).isTrue();
    }

    @Test
    void shouldNotCopyInTheHoneycombWhereTheTargetWasInAnEarlierSession() {
        long source = hive.queen.addFile(
                "g", former.layout(), Attributes.newBuilder().setMode(0100644).setSize(6));
        long read = hive.get(hive.files.open(FakeHive.ROOT, source, READ)).handle();
        long target = open(WRITE);
        loseTheSession();

        assertThat(hive.failure(hive.files.copy(read, 0, target, 0, 6, false))).isEqualTo(Errno.EXDEV);
    }

    @Test
    void shouldAskTheReplicaWhatItIsLikeWhenTheWriteLeaseWasAwayInBetween() {
        hive.queen.grantsWriting = true;
        long handle = open(WRITE);
        hive.get(write(handle, "by this desktop"));
        hive.get(hive.files.sync(handle, false));
        loseTheSession();

        assertThat(read(handle)).isEqualTo("newest");

        assertThat(hive.get(hive.files.getAttributes(inode)).getSize()).isEqualTo(6);
    }

    private void loseTheSession() {
        hive.queen.endSession();
        hive.queen.node(inode).setLayout(movedTo(present));
        registerAgain();
    }

    private void registerAgain() {
        hive.queen.breakConnections();
        hive.pass(Duration.ofSeconds(5));
    }

    private Layout movedTo(FakeHoneycomb honeycomb) {
        return honeycomb.layout().setInode(inode).setDirty(true).build();
    }

    private void put(FakeHoneycomb honeycomb, String content) {
        honeycomb.put(inode, content, Timestamp.newBuilder().setSeconds(1000).build());
    }

    private long open(OpenFlags flags) {
        return hive.get(hive.files.open(FakeHive.ROOT, inode, flags)).handle();
    }

    private String read(long handle) {
        try (Payload content = hive.get(hive.files.read(handle, 0, 100))) {
            return content instanceof Payload.Bytes(ByteBuf bytes) ? bytes.toString(UTF_8) : "";
        }
    }

    private CompletableFuture<Void> write(long handle, String text) {
        ByteBuf content = Unpooled.directBuffer().writeBytes(text.getBytes(UTF_8));
        return hive.files.write(handle, 0, content, false, false);
    }
}
