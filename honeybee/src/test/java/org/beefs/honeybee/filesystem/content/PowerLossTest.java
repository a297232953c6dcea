package org.beefs.honeybee.filesystem.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The machine of another desktop loses its power while programs here write files that lie there. */
class PowerLossTest {
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final long PROCESS = 7;

    private final FakeHive hive = new FakeHive();
    private long inode;
    private long handle;

    @BeforeEach
    void openFile() {
        hive.queen.grants = true;
        hive.get(hive.session.start());
        inode = hive.queen.addFile(
                "f", hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
        handle = open(WRITE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotSayThatIsSyncedWhatHasGoneWithThePower(boolean heldBack) {
        long writer = openToWrite(heldBack);
        hive.get(write(writer, "lost"));
        hive.honeycomb.losePower();

        assertThat(hive.failure(sync(writer))).isEqualTo(Errno.EIO);
        hive.get(sync(writer));
    }

    /** What the last write's answer said of the file's size has gone with the power. */
    @Test
    void shouldShowHowLargeTheFileIsNow() {
        long writer = openToWrite(true);
        hive.get(write(writer, "longer than what is left"));
        hive.pass(Duration.ofSeconds(1));
        losePowerButFor("left");
        hive.get(hive.files.read(writer, 0, 10), Duration.ofSeconds(5)).close();

        assertThat(hive.get(hive.files.getAttributes(inode)).getSize()).isEqualTo(4);
    }

    @Test
    void shouldTellEachHandleThatWasOpenThenOnce() {
        long reader = open(READ);
        hive.get(write(handle, "lost"));
        hive.honeycomb.losePower();
        assertThat(hive.failure(sync(handle))).isEqualTo(Errno.EIO);
        long later = open(WRITE);

        assertThat(hive.failure(sync(reader))).isEqualTo(Errno.EIO);
        hive.get(sync(reader));
        hive.get(sync(later));
    }

    @Test
    void shouldTellAtTheNextWriteAndAtTheCloseWhatTheLastWriteHasNoticed() {
        hive.get(write(handle, "lost"));
        hive.honeycomb.losePower();
        hive.get(write(handle, "written since"));

        assertThat(hive.failure(hive.files.flush(handle, inode, PROCESS))).isEqualTo(Errno.EIO);
        assertThat(hive.failure(write(handle, "not written"))).isEqualTo(Errno.EIO);
        hive.get(sync(handle));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTakeForGoneWhatWasSynced(boolean heldBack) {
        long writer = openToWrite(heldBack);
        CompletableFuture<Void> written = write(writer, "synced");
        if (!heldBack) {
            hive.timers.runDue();
        }
        assertThat(written).isCompleted();
        hive.get(sync(writer));
        hive.honeycomb.losePower();

        hive.get(write(writer, "written since"));
        hive.get(sync(writer));
    }

    @Test
    void shouldNotTakeForSyncedWhatWasWrittenWhileASyncWasUnderWay() {
        hive.get(write(handle, "synced"));
        hive.honeycomb.held = OperationCase.SYNC;
        CompletableFuture<Void> synced = sync(handle);
        hive.timers.runDue();
        hive.get(write(handle, "written meanwhile"));
        hive.honeycomb.held = OperationCase.OPERATION_NOT_SET;
        hive.honeycomb.letGo();
        hive.get(synced);
        hive.honeycomb.losePower();

        assertThat(hive.failure(sync(handle))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldNotBlameWhoOpensTheFileAfterTheLastWriterHasClosedIt() {
        open(READ);
        hive.get(write(handle, "closed"));
        hive.get(hive.files.release(handle));
        hive.honeycomb.losePower();
        long next = open(WRITE);

        hive.get(write(next, "written since"));
        hive.get(sync(next));
    }

    @Test
    void shouldReleaseWithWhatIsLeftAndTellWhoCloses() {
        long writer = openToWrite(true);
        hive.get(write(writer, "longer than what is left"));
        hive.timers.runDue();
        losePowerButFor("left");

        CompletableFuture<Void> closed = hive.files.flush(writer, inode, PROCESS);
        hive.pass(FakeHive.CONFIG.statusPatience().dividedBy(2));

        assertThat(hive.failure(closed)).isEqualTo(Errno.EIO);
        hive.get(hive.files.release(writer));

        assertThat(hive.queen.releases)
                .singleElement()
                .satisfies(release -> assertThat(release.getStatus().getSize()).isEqualTo(4));
    }

    @Test
    void shouldReleaseWithWhatIsLeftThoughAnotherFileWasReadThereSince() {
        hive.get(write(handle, "longer than what is left"));
        losePowerButFor("left");
        long other = hive.queen.addFile(
                "g", hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
        long reader = hive.get(hive.files.open(FakeHive.ROOT, other, READ)).handle();
        hive.get(hive.files.read(reader, 0, 10), Duration.ofSeconds(5)).close();

        hive.get(hive.files.release(handle));

        assertThat(hive.queen.releases)
                .singleElement()
                .satisfies(release -> assertThat(release.getStatus().getSize()).isEqualTo(4));
    }

    /** It may only be asleep, and what it has is still the last that is known. */
    @Test
    void shouldReleaseWithWhatWasSeenLastWhenTheHoneycombCannotBeAsked() {
        hive.get(write(handle, "last"));
        hive.honeycomb.stop();

        hive.get(hive.files.release(handle), FakeHive.CONFIG.statusPatience());

        assertThat(hive.queen.releases)
                .singleElement()
                .satisfies(release -> assertThat(release.getStatus().getSize()).isEqualTo(4));
    }

    /** Each program that is started by one with the file open closes it too. */
    @Test
    void shouldLetOnlyTheFirstCloseWaitForAHoneycombThatIsAway() {
        hive.get(write(handle, "last"));
        hive.honeycomb.stop();
        hive.timers.runDue();

        hive.get(hive.files.flush(handle, inode, 0), FakeHive.CONFIG.statusPatience());

        hive.get(hive.files.flush(handle, inode, 0));
    }

    private void losePowerButFor(String left) {
        int port = Integer.parseInt(hive.honeycomb.address().replaceFirst(".*:", ""));
        hive.honeycomb.losePower();
        hive.honeycomb.stop();
        hive.honeycomb.put(inode, left, Timestamp.getDefaultInstance());
        hive.honeycomb.start(port);
        hive.timers.runDue();
    }

    private long openToWrite(boolean heldBack) {
        hive.queen.grantsWriting = heldBack;
        return open(WRITE);
    }

    private long open(OpenFlags flags) {
        return hive.get(hive.files.open(FakeHive.ROOT, inode, flags)).handle();
    }

    private CompletableFuture<Void> sync(long file) {
        return hive.files.sync(file, false);
    }

    private CompletableFuture<Void> write(long file, String text) {
        ByteBuf content = Unpooled.directBuffer().writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return hive.files.write(file, 0, content, false, false);
    }
}
