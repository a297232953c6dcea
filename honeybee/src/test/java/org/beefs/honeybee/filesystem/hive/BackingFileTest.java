package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.USER;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.honeybee.data.LocalReplicas;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeLocalReplicas;
import org.beefs.honeybee.fake.FakeLocalReplicas.Pin;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that the driver may read and write past the file system. */
class BackingFileTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final ByteString CAPABILITY = ByteString.copyFromUtf8("security.capability");
    private static final ByteString HERE = ByteString.copyFromUtf8("this honeycomb's");

    private final FakeLocalReplicas local = new FakeLocalReplicas();
    private final FakeHive hive = new FakeHive(FakeHive.CONFIG, null, new LocalReplicas(HERE, local));
    private final HiveFileSystem files = hive.files;

    @BeforeEach
    void register() {
        hive.get(hive.session.start());
    }

    @Test
    void shouldGiveTheReplicaOfThisDesktop() {
        OpenedFile reader = open(here(0100644), READ);
        OpenedFile writer = open(here(0100644), WRITE);

        assertThat(files.backingFile(reader.handle(), false)).hasValue(100);
        assertThat(files.backingFile(writer.handle(), false)).hasValue(101);
        assertThat(local.pins).extracting(pin -> pin.write).containsExactly(false, true);
    }

    @Test
    void shouldNoteAReaderOfWhatTheQueenBeeDoesNotKnowToBeWritten() {
        long inode = here(0100644);
        local.status(4);

        files.backingFile(open(inode, READ).handle(), false);

        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(accesses()).isEqualTo(1);
    }

    @Test
    void shouldNotNoteAReaderOfWhatIsEmpty() {
        files.backingFile(open(here(0100644), READ).handle(), false);

        hive.pass(AccessTimes.TOLD_AFTER);
        assertThat(accesses()).isZero();
    }

    @Test
    void shouldNotGiveWhatIsElsewhere() {
        OpenedFile file = open(add(hive.honeycomb.layout(), 0100644), READ);

        assertThat(files.backingFile(file.handle(), false)).isEmpty();
        assertCannotBeOpened(file);
    }

    /** The kernel would go on reading it when the file is written elsewhere, and would tell nobody what it writes. */
    @Test
    void shouldNotGiveASecondaryThatIsHere() {
        Layout.Builder layout = hive.honeycomb.layout().setVersion(1);
        layout.addSecondariesBuilder().setHoneycomb(HERE);
        long inode = add(layout, 0100644);

        assertThat(files.backingFile(open(inode, READ).handle(), false)).isEmpty();
        assertThat(files.backingFile(open(inode, WRITE).handle(), false)).isEmpty();
        assertThat(local.pins).isEmpty();
    }

    /** As after the desktop was lost for a while, and the file's primary moved on. */
    @Test
    void shouldReadElsewhereWhatTheKernelHasOpenUnchanged() {
        long inode = here(0100644);
        files.backingFile(open(inode, READ).handle(), false);
        move(inode);

        OpenedFile again = open(inode, READ);

        assertThat(hive.queen.requestsOf(OperationCase.OPEN).getLast().getOpen().getPassthrough())
                .isTrue();
        assertThat(files.backingFile(again.handle(), true)).isEmpty();
        assertThat(local.pins.getLast().released).isFalse();
        hive.get(files.release(again.handle()));
        assertThat(local.pins.getLast().released).isTrue();
    }

    @Test
    void shouldNotOpenWhatTheKernelHasOpenAsItWas() {
        long inode = here(0100644);
        files.backingFile(open(inode, READ).handle(), false);
        move(inode);
        local.replace(inode);

        assertCannotBeOpened(open(inode, READ));
        assertThat(local.pins.getLast().released).as("another file").isTrue();
    }

    /** As after the primary was elsewhere, where the file was written, and has come back. */
    @Test
    void shouldNotOpenAPrimaryThatIsAnotherFileThanTheKernelHasOpen() {
        long inode = here(0100644);
        files.backingFile(open(inode, READ).handle(), false);
        local.replace(inode);

        assertCannotBeOpened(open(inode, READ));
        assertCannotBeOpened(open(inode, WRITE));
        assertThat(local.pins).extracting(pin -> pin.released).containsExactly(false, true, true);
    }

    @Test
    void shouldOpenAPrimaryThatWasReplacedWhenTheKernelHasClosedWhatItWas() {
        long inode = here(0100644);
        OpenedFile former = open(inode, READ);
        files.backingFile(former.handle(), false);
        local.replace(inode);
        OpenedFile refused = open(inode, READ);
        assertCannotBeOpened(refused);
        hive.get(files.release(refused.handle()));
        hive.get(files.release(former.handle()));

        assertThat(files.backingFile(open(inode, WRITE).handle(), false)).hasValue(101);
    }

    @Test
    void shouldNotOpenToWriteWhatTheKernelReadsAndIsElsewhere() {
        long inode = here(0100644);
        files.backingFile(open(inode, READ).handle(), false);
        move(inode);

        assertCannotBeOpened(open(inode, WRITE));
    }

    private void move(long inode) {
        hive.queen.node(inode).setLayout(hive.honeycomb.layout().setInode(inode).setVersion(1));
    }

    private void assertCannotBeOpened(OpenedFile file) {
        assertThatThrownBy(() -> files.backingFile(file.handle(), true))
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EIO));
    }

    @Test
    void shouldNotGiveWhatTheHoneycombWantsToWatch() {
        local.refuses = true;

        assertThat(files.backingFile(open(here(0100644), WRITE).handle(), false))
                .isEmpty();
    }

    @Test
    void shouldGiveWhatTheHoneycombWantsToWatchIfTheKernelHasItOpen() {
        long inode = here(0100644);
        files.backingFile(open(inode, READ).handle(), false);
        local.refuses = true;

        assertThat(files.backingFile(open(inode, WRITE).handle(), true)).isPresent();
    }

    /** As when the machine has slept: the queen-bee has answered the open before any heartbeat. */
    @Test
    void shouldHaveTheRightToWriteBackBeforeTheKernelIsGivenWhatItHasAlready() {
        Duration nap = Duration.ofSeconds(10); // too short for the connection to be given up
        hive.queen.fence = nap;
        hive.get(hive.session.wake(), Duration.ofSeconds(1));
        local.leased = hive.session::mayChange;
        long inode = here(0100644);
        OpenedFile first = open(inode, WRITE);
        files.backingFile(first.handle(), false);
        hive.queen.held = OperationCase.HEARTBEAT;
        hive.timers.clock().advance(nap);

        OpenedFile second = open(inode, WRITE);

        assertThat(files.backingFile(second.handle(), true)).isPresent();
    }

    /** The kernel would leave the bits when somebody else writes. */
    @Test
    void shouldNotGiveFilesWithSetIdBits() {
        OpenedFile setUid = open(here(0104755), WRITE);
        OpenedFile setGid = open(here(0102644), READ);

        assertThat(files.backingFile(setUid.handle(), false)).isEmpty();
        assertThat(files.backingFile(setGid.handle(), false)).isEmpty();
    }

    @Test
    void shouldGiveFilesWithSetIdBitsThatTheKernelHasOpen() {
        long inode = here(0100644);
        files.backingFile(open(inode, READ).handle(), false);
        hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(04755, null, null, null, null, null, null, false)));

        assertThat(files.backingFile(open(inode, WRITE).handle(), true)).isPresent();
    }

    /** A mapping that went through the daemon would not show what is stored through that one. */
    @Test
    void shouldGiveFilesWithSetIdBitsThatMayStillBeMapped() {
        long inode = here(0100644);
        CompletableFuture<Void> released = closeMapped(inode);
        hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(04755, null, null, null, null, null, null, false)));

        OpenedFile reader = open(inode, READ);
        assertThat(files.backingFile(reader.handle(), false)).isPresent();
        hive.get(files.release(reader.handle()));

        unmap(released);
        assertThat(files.backingFile(open(inode, READ).handle(), false)).isEmpty();
    }

    @Test
    void shouldGiveWhatTheHoneycombWantsToWatchIfItMayStillBeMapped() {
        long inode = here(0100644);
        CompletableFuture<Void> released = closeMapped(inode);
        local.refuses = true;

        OpenedFile reader = open(inode, READ);
        assertThat(files.backingFile(reader.handle(), false)).isPresent();
        hive.get(files.release(reader.handle()));

        unmap(released);
        assertThat(files.backingFile(open(inode, WRITE).handle(), false)).isEmpty();
    }

    /** Answers the release, which is done when the file is mapped no more. */
    private CompletableFuture<Void> closeMapped(long inode) {
        OpenedFile mapped = open(inode, WRITE);
        files.backingFile(mapped.handle(), false);
        return files.release(mapped.handle());
    }

    private void unmap(CompletableFuture<Void> released) {
        local.pins.getFirst().end.complete(local.status(4));
        hive.get(released);
    }

    @Test
    void shouldNotGiveFilesWithCapabilities() {
        long inode = here(0100755);
        hive.queen.node(inode).setFileCapabilities(true);

        assertThat(files.backingFile(open(inode, WRITE).handle(), false)).isEmpty();
    }

    @Test
    void shouldTakeCapabilitiesAwayOnceWhoeverWrites() {
        hive.queen.grants = true;
        long inode = elsewhere();
        OpenedFile file = open(inode, WRITE);
        hive.get(files.setXattr(ROOT, inode, CAPABILITY, ByteString.EMPTY, false, false));

        write(file);
        write(file);

        assertThat(removed()).isEqualTo(1);
    }

    @Test
    void shouldTakeCapabilitiesAwayWhoeverTruncates() {
        long inode = elsewhere();
        hive.queen.node(inode).setFileCapabilities(true);

        open(inode, new OpenFlags(true, true, true, false, false, false));

        assertThat(removed()).isEqualTo(1);
    }

    @Test
    void shouldTakeCapabilitiesAwayThatAreGivenBetweenWrites() {
        long inode = elsewhere();
        OpenedFile file = open(inode, WRITE);
        for (int i = 0; i < 2; i++) {
            hive.get(files.setXattr(ROOT, inode, CAPABILITY, ByteString.EMPTY, false, false));
            write(file);
        }

        assertThat(removed()).isEqualTo(2);
    }

    @Test
    void shouldLeaveCapabilitiesWhenTimesAreSet() {
        long inode = elsewhere();
        open(inode, WRITE);
        hive.get(files.setXattr(ROOT, inode, CAPABILITY, ByteString.EMPTY, false, false));

        hive.get(files.setAttributes(
                ROOT,
                inode,
                new AttributeChange(
                        null, null, null, null, null, new TimeChange.At(Instant.ofEpochSecond(1)), null, false)));

        assertThat(removed()).isZero();
    }

    private long elsewhere() {
        return add(hive.honeycomb.layout(), 0100755);
    }

    private void write(OpenedFile file) {
        hive.get(files.write(file.handle(), 0, Unpooled.copiedBuffer(new byte[] {1}), false, false));
    }

    private int removed() {
        return hive.queen.requestsOf(OperationCase.REMOVE_XATTR).size();
    }

    /** The kernel asks before it writes. */
    @Test
    void shouldKnowThatAnOpenFileHasNoCapabilities() {
        long inode = here(0100755);
        hive.get(files.getXattr(ROOT, inode, CAPABILITY));
        assertThat(asked()).isEqualTo(1);

        open(inode, WRITE);
        assertThat(hive.failure(files.getXattr(ROOT, inode, CAPABILITY))).isEqualTo(Errno.ENODATA);
        assertThat(asked()).isEqualTo(1);

        hive.get(files.setXattr(ROOT, inode, CAPABILITY, ByteString.EMPTY, false, false));
        hive.get(files.getXattr(ROOT, inode, CAPABILITY));
        assertThat(asked()).isEqualTo(2);
    }

    /** Whoever writes has no right to change the attribute, but his write does. */
    @Test
    void shouldLetTheKernelTakeCapabilitiesAway() {
        hive.get(files.removeXattr(USER, here(0100755), CAPABILITY));
        hive.get(files.removeXattr(USER, here(0100755), ByteString.copyFromUtf8("user.x")));

        assertThat(hive.queen.requestsOf(QueenRequest.OperationCase.REMOVE_XATTR))
                .extracting(request -> request.getCredentials().getUid())
                .containsExactly(0, USER.getUid());
    }

    @Test
    void shouldReleaseAWriterWhenNobodyWritesAnyMore() {
        OpenedFile file = open(here(0100644), WRITE);
        files.backingFile(file.handle(), false);
        Pin pin = local.pins.getFirst();

        CompletableFuture<Void> released = files.release(file.handle());
        hive.timers.runDue();
        assertThat(pin.released).isTrue();
        assertThat(released).isNotDone();
        assertThat(hive.queen.releases).isEmpty();

        pin.end.complete(local.status(7));
        hive.get(released);
        assertThat(hive.queen.releases)
                .singleElement()
                .satisfies(release -> assertThat(release.getStatus().getSize()).isEqualTo(7));
    }

    @Test
    void shouldTellWhatTheKernelHasWrittenAndNotWhatTheDaemonSawBefore() {
        OpenedFile file = open(here(0100644), new OpenFlags(true, true, true, false, false, false));
        files.backingFile(file.handle(), false);

        local.pins.getFirst().end.complete(local.status(5));
        hive.get(files.release(file.handle()));

        assertThat(hive.queen.releases.getFirst().getStatus().getSize()).isEqualTo(5);
    }

    @Test
    void shouldKeepAnOpenAssertedThatMayStillWrite() {
        OpenedFile file = open(here(0100644), WRITE);
        files.backingFile(file.handle(), false);
        files.release(file.handle());

        hive.queen.breakConnections();
        hive.pass(Duration.ofSeconds(6));

        assertThat(hive.queen.registers.getLast().getOpenFilesList())
                .singleElement()
                .satisfies(open -> assertThat(open.getHandle()).isEqualTo(file.handle()));
    }

    @Test
    void shouldReleaseWithoutStatusWhenTheHoneycombGivesUp() {
        OpenedFile file = open(here(0100644), WRITE);
        files.backingFile(file.handle(), false);
        local.pins.getFirst().end.completeExceptionally(new PosixException(Errno.ENOTCONN, "stopped"));

        hive.get(files.release(file.handle()));

        assertThat(hive.queen.releases.getFirst().hasStatus()).isFalse();
    }

    @Test
    void shouldReleaseAReaderAtOnce() {
        OpenedFile file = open(here(0100644), READ);
        files.backingFile(file.handle(), false);

        hive.get(files.release(file.handle()));

        assertThat(local.pins.getFirst().released).isTrue();
        assertThat(hive.queen.releases.getFirst().hasStatus()).isFalse();
    }

    @Test
    void shouldGiveNothingForAHandleThatIsClosed() {
        OpenedFile file = open(here(0100644), READ);
        hive.get(files.release(file.handle()));

        assertThatThrownBy(() -> files.backingFile(file.handle(), false))
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EBADF));
        assertThat(local.pins).isEmpty();
    }

    @Test
    void shouldKeepNoFileOfAHandleThatIsClosedMeanwhile() {
        OpenedFile file = open(here(0100644), READ);
        local.whilePinning = () -> hive.get(files.release(file.handle()));

        assertThatThrownBy(() -> files.backingFile(file.handle(), false))
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EBADF));
        assertThat(local.pins.getFirst().released).isTrue();
    }

    private int accesses() {
        return hive.queen.requestsOf(OperationCase.RECORD_ACCESSES).size();
    }

    private int asked() {
        return hive.queen.requestsOf(QueenRequest.OperationCase.GET_XATTR).size();
    }

    @Test
    void shouldTakeSetIdBitsThatCameAfterTheOpenAwayBeforeAWrite() {
        long inode = here(0100755);
        OpenedFile writer = open(inode, WRITE);
        files.backingFile(writer.handle(), false);
        hive.get(files.clearPrivileges(inode));
        assertThat(hive.queen.requestsOf(OperationCase.SET_ATTRIBUTES)).isEmpty();

        hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(04755, null, null, null, null, null, null, false)));
        hive.get(files.clearPrivileges(inode));

        assertThat(hive.get(files.getAttributes(inode)).getMode()).isEqualTo(0100755);
    }

    @Test
    void shouldLeaveSetIdBitsOfWhatIsOnlyRead() {
        long inode = here(0100755);
        files.backingFile(open(inode, READ).handle(), false);
        hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(04755, null, null, null, null, null, null, false)));

        hive.get(files.clearPrivileges(inode));

        assertThat(hive.get(files.getAttributes(inode)).getMode()).isEqualTo(0104755);
    }

    private long here(int mode) {
        return add(Layout.newBuilder().setHoneycomb(HERE).setEpoch(1), mode);
    }

    private long add(Layout.Builder layout, int mode) {
        return hive.queen.addFile("f", layout, Attributes.newBuilder().setMode(mode));
    }

    private OpenedFile open(long inode, OpenFlags flags) {
        return hive.get(files.open(ROOT, inode, flags));
    }
}
