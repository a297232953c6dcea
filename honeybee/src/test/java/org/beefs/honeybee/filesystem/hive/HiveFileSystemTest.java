package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HiveFileSystemTest extends FileSystemTest {
    private static final Duration WHILE = Duration.ofSeconds(6);

    @Test
    void shouldCreateWriteReadAndRelease() {
        OpenedFile file = create("f", WRITE);

        write(file, "hello");

        assertThat(read(file)).isEqualTo("hello");
        assertThat(hive.get(files.lookup(ROOT, FileSystem.ROOT, bytes("f"))).getSize())
                .isEqualTo(5);
        hive.get(files.release(file.handle()));
        assertThat(onlyRelease().getStatus().getSize()).isEqualTo(5);
    }

    @Test
    void shouldReleaseAReaderWithoutStatus() {
        OpenedFile file = open(addFile("f"), READ);

        hive.get(files.release(file.handle()));

        assertThat(onlyRelease().hasStatus()).isFalse();
    }

    @Test
    void shouldAskForTheStatusOfAFileThatWasNotWritten() {
        OpenedFile file = open(addFile("f"), WRITE);

        hive.get(files.release(file.handle()));

        assertThat(onlyRelease().hasStatus()).isTrue();
        assertThat(onlyRelease().getStatus().getExists()).isFalse();
    }

    @Test
    void shouldReleaseWithoutStatusWhenTheHoneycombIsAway() {
        OpenedFile file = open(addFile("f"), WRITE);
        honeycomb.stop();

        hive.get(files.release(file.handle()), WHILE);

        assertThat(onlyRelease().hasStatus()).isFalse();
    }

    @Test
    void shouldLookAgainAfterAChangeOfUnknownOutcome() {
        OpenedFile file = create("f", WRITE);
        write(file, "a");
        honeycomb.stop();
        CompletableFuture<Void> lost = files.write(file.handle(), 1, buffer("b"), false, false);
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(lost)).isEqualTo(Errno.EIO);
        startHoneycomb(file.attributes().getInode());
        honeycomb.put(file.attributes().getInode(), "ab", Timestamp.getDefaultInstance());

        hive.get(files.release(file.handle()), WHILE);

        assertThat(onlyRelease().getStatus().getSize()).isEqualTo(2);
    }

    @Test
    void shouldFindNoHolesWhereAMappingMayHaveStoredWhatTheKernelHasNotBrought() {
        OpenedFile file = create("f", WRITE);
        hive.get(files.write(file.handle(), 5, buffer("x"), false, false));
        OpenedFile other = open(file.attributes().getInode(), READ);

        assertThat(hive.get(files.seek(other.handle(), 2, false))).isEqualTo(2);
        assertThat(hive.get(files.seek(other.handle(), 2, true))).isEqualTo(6);
        assertThat(hive.failure(files.seek(other.handle(), 6, false))).isEqualTo(Errno.ENXIO);
        assertThat(hive.failure(files.seek(other.handle(), -1, true))).isEqualTo(Errno.ENXIO);
        assertThat(honeycomb.requestsOf(DataRequest.OperationCase.SEEK)).isEmpty();
    }

    @Test
    void shouldAskTheReplicaForHolesOnceNobodyWritesTheFile() {
        OpenedFile file = create("f", WRITE);
        OpenedFile other = open(file.attributes().getInode(), READ);
        hive.get(files.release(file.handle()));

        files.seek(other.handle(), 0, false);

        hive.timers.runDue();
        assertThat(honeycomb.requestsOf(DataRequest.OperationCase.SEEK)).isNotEmpty();
    }

    @Test
    void shouldFailOnHandlesThatAreNotOpen() {
        assertThat(hive.failure(files.read(99, 0, 1))).isEqualTo(Errno.EBADF);
        assertThat(hive.failure(files.release(99))).isEqualTo(Errno.EBADF);
    }

    @Test
    void shouldFailWithEstaleOnLostHandles() {
        OpenedFile file = open(addFile("f"), READ);
        queen.lostHandles.add(file.handle());
        queen.breakConnections();
        hive.pass(WHILE);

        assertThat(hive.failure(files.read(file.handle(), 0, 1))).isEqualTo(Errno.ESTALE);
        hive.get(files.release(file.handle()));
        assertThat(queen.releases).isEmpty();
    }

    @Test
    void shouldShowWhatAnotherDesktopHasWritten() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true);
        honeycomb.put(inode, "12345", Timestamp.newBuilder().setSeconds(7).build());

        Attributes attributes = hive.get(files.getAttributes(inode));

        assertThat(attributes.getSize()).isEqualTo(5);
        assertThat(attributes.getMtime().getSeconds()).isEqualTo(7);
    }

    @Test
    void shouldFailWithEioWhenADirtyFilesHoneycombStaysAway() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true);
        honeycomb.stop();

        CompletableFuture<Attributes> lookup = files.lookup(ROOT, FileSystem.ROOT, bytes("f"));
        hive.pass(Duration.ofSeconds(59));
        assertThat(lookup).isNotDone();
        hive.pass(Duration.ofSeconds(2));

        assertThat(hive.failure(lookup)).isEqualTo(Errno.EIO);
        assertThat(lookup.exceptionNow()).hasMessageContaining("desktop2 must come back");
    }

    /** Whoever removes or renames it needs no size. */
    @Test
    void shouldFindByNameWhatNobodyCanBeAskedAbout() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true).clearAddress();
        honeycomb.stop();

        assertThat(hive.get(files.lookupEntry(ROOT, FileSystem.ROOT, bytes("f")))
                        .getInode())
                .isEqualTo(inode);
        assertThat(files.lookup(ROOT, FileSystem.ROOT, bytes("f"))).isNotDone();
        assertThat(files.getAttributes(inode)).isNotDone();
    }

    /** A kernel would cut what it has of the file at an outdated size. */
    @Test
    void shouldNotGuessTheSizeOfWhatIsOpenHere() {
        long inode = addFile("f");
        open(inode, READ);
        queen.layout(inode).setDirty(true).clearAddress();
        honeycomb.stop();

        assertThat(files.lookupEntry(ROOT, FileSystem.ROOT, bytes("f"))).isNotDone();
    }

    @Test
    void shouldListDirtyFilesWithOneRequestForEachHoneycomb() {
        for (int i = 0; i < 4000; i++) {
            long inode = addFile("f" + i);
            queen.layout(inode).setDirty(i % 50 != 0);
            honeycomb.put(
                    inode,
                    "x".repeat(i % 7),
                    Timestamp.newBuilder().setSeconds(9).build());
        }

        FileSystem.Listing listing = hive.get(files.listDirectory(FileSystem.ROOT, 0, 10_000, true));

        assertThat(listing.entries()).hasSize(4000);
        Attributes dirty = listing.entries().get(6).attributes();
        Attributes clean = listing.entries().get(50).attributes();
        assertThat(dirty).isNotNull().extracting(Attributes::getSize).isEqualTo(6L);
        assertThat(clean).isNotNull().extracting(Attributes::getSize).isEqualTo(0L);
        assertThat(honeycomb.requestsOf(DataRequest.OperationCase.GET_STATUSES)).hasSize(1);
    }

    @Test
    void shouldListWithoutAttributesWhatAnAbsentHoneycombHolds() {
        long inode = addFile("dirty");
        queen.layout(inode).setDirty(true);
        addFile("clean");
        honeycomb.stop();

        FileSystem.Listing listing = hive.get(files.listDirectory(FileSystem.ROOT, 0, 100, true), WHILE);

        assertThat(listing.entries().getFirst().attributes()).isNull();
        assertThat(listing.entries().getLast().attributes()).isNotNull();
    }

    @Test
    void shouldListAtOnceWhatNobodyCanBeAskedAbout() {
        queen.layout(addFile("dirty")).setDirty(true).clearAddress();
        honeycomb.stop();

        FileSystem.Listing listing = hive.get(files.listDirectory(FileSystem.ROOT, 0, 100, true));

        assertThat(listing.entries().getFirst().attributes()).isNull();
    }

    @Test
    void shouldReleaseAnOpenThatNobodyWaitsForAnyMore() {
        CompletableFuture<OpenedFile> open = files.open(ROOT, addFile("f"), READ);
        open.cancel(false);

        hive.timers.runDue();

        assertThat(queen.releases).hasSize(1);
    }

    @Test
    void shouldAskForThePresentLayoutWhenTheReplicaHasAnotherEpoch() {
        long inode = addFile("f");
        honeycomb.put(inode, "abc", Timestamp.getDefaultInstance());
        OpenedFile file = open(inode, READ);
        honeycomb.epoch = 2;
        queen.layout(inode).setEpoch(2);

        assertThat(read(file)).isEqualTo("abc");
        assertThat(queen.requestsOf(QueenRequest.OperationCase.OPEN))
                .hasSize(2)
                .allMatch(request -> request.getOpen().getHandle() == file.handle());
    }

    @Test
    void shouldFailWithEstaleWhenThereIsNoOtherLayout() {
        OpenedFile file = open(addFile("f"), READ);
        honeycomb.epoch = 2;

        assertThat(hive.failure(files.read(file.handle(), 0, 10))).isEqualTo(Errno.ESTALE);
    }

    @ParameterizedTest
    @EnumSource(names = {"ENOSPC", "EDQUOT"})
    void shouldWriteAgainWhenTheQueenBeeHasMadeRoomInAFullHoneycomb(Errno full) {
        OpenedFile file = create("f", WRITE);
        honeycomb.failure = full;
        queen.makesRoom = true;
        queen.held = QueenRequest.OperationCase.MAKE_ROOM;

        CompletableFuture<Void> written = files.write(file.handle(), 0, buffer("text"), false, false);
        hive.timers.runDue();
        assertThat(written).isNotDone();
        honeycomb.failure = null;
        queen.letGo();

        hive.get(written);
        assertThat(honeycomb.content(file.attributes().getInode())).isEqualTo("text");
        assertThat(queen.requestsOf(QueenRequest.OperationCase.MAKE_ROOM))
                .singleElement()
                .matches(asked ->
                        asked.getMakeRoom().getInode() == file.attributes().getInode()
                                && asked.getMakeRoom().getBytes() == 4);
    }

    @Test
    void shouldFailWithEnospcWhenNoRoomCanBeMade() {
        OpenedFile file = create("f", WRITE);
        honeycomb.failure = Errno.ENOSPC;

        assertThat(hive.failure(files.write(file.handle(), 0, buffer("text"), false, false)))
                .isEqualTo(Errno.ENOSPC);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.MAKE_ROOM)).hasSize(1);
    }

    @Test
    void shouldGiveUpWhenOthersTakeAllTheRoomThatIsMade() {
        OpenedFile file = create("f", WRITE);
        honeycomb.failure = Errno.ENOSPC;
        queen.makesRoom = true;

        assertThat(hive.failure(files.write(file.handle(), 0, buffer("text"), false, false)))
                .isEqualTo(Errno.ENOSPC);
    }

    /** Each time that room is made little may have left: a few small files. */
    @Test
    void shouldAskForRoomTheMoreOftenTheMoreIsAllocated() {
        OpenedFile file = create("f", WRITE);
        honeycomb.failure = Errno.ENOSPC;
        honeycomb.failuresLeft = 100;
        queen.makesRoom = true;

        hive.get(files.allocate(file.handle(), 0, 0, 1L << 30, false));

        assertThat(queen.requestsOf(QueenRequest.OperationCase.MAKE_ROOM)).hasSize(100);
    }

    @Test
    void shouldSyncContentAndNamesTogether() {
        OpenedFile file = create("f", WRITE);
        write(file, "x");

        hive.get(files.sync(file.handle(), false));

        assertThat(honeycomb.requestsOf(DataRequest.OperationCase.SYNC)).hasSize(1);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SYNC)).hasSize(1);
    }

    @Test
    void shouldSyncOnlyWhenOtherDesktopsHaveTheContentThatWasPromisedToBeThere() {
        queen.newFiles = queen.newFiles.toBuilder().setPFactor(2).build();
        OpenedFile file = create("f", WRITE);
        write(file, "x");
        queen.held = QueenRequest.OperationCase.SECURE_CONTENT;

        CompletableFuture<Void> synced = files.sync(file.handle(), false);
        hive.timers.runDue();
        assertThat(synced).isNotDone();
        assertThat(honeycomb.requestsOf(DataRequest.OperationCase.SYNC)).hasSize(1);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SYNC)).isEmpty();

        queen.letGo();
        hive.get(synced);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SYNC)).hasSize(1);
    }

    @Test
    void shouldCloseOnlyWhenOtherDesktopsHaveTheContentThatWasPromisedToBeThere() {
        queen.newFiles = queen.newFiles.toBuilder().setPFactor(2).build();
        OpenedFile file = create("f", WRITE);
        write(file, "x");
        assertThat(files.wantsFlush(file.handle())).isTrue();
        queen.held = QueenRequest.OperationCase.SECURE_CONTENT;

        CompletableFuture<Void> closed =
                files.flush(file.handle(), file.attributes().getInode(), 1);
        hive.timers.runDue();
        assertThat(closed).isNotDone();
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SYNC)).isEmpty();

        queen.letGo();
        hive.get(closed);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SYNC)).hasSize(1);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SECURE_CONTENT))
                .singleElement()
                .matches(asked ->
                        asked.getSecureContent().getInode() == file.attributes().getInode());
    }

    @Test
    void shouldAnswerTheSpaceKnownLastWhenTheQueenIsAway() {
        assertThat(hive.get(files.space()).getCapacity()).isEqualTo(1000);
        queen.stop();
        hive.timers.runDue();

        assertThat(hive.get(files.space(), Duration.ofSeconds(1)).getCapacity()).isEqualTo(1000);
    }

    @Test
    void shouldAnswerTheSpaceKnownLastWhenTheQueenIsMute() {
        hive.get(files.space());
        queen.setMute(true);

        assertThat(hive.get(files.space(), Duration.ofSeconds(1)).getCapacity()).isEqualTo(1000);
    }

    @Test
    void shouldStatTheMountPointWhenTheQueenIsMuteButNothingElse() {
        long file = addFile("a");
        hive.get(files.getAttributes(FileSystem.ROOT));
        queen.setMute(true);

        assertThat(hive.get(files.getAttributes(FileSystem.ROOT), Duration.ofSeconds(1))
                        .getInode())
                .isEqualTo(FileSystem.ROOT);
        assertThat(files.getAttributes(file)).isNotDone();
    }

    @Test
    void shouldReleaseAllWhenTheMountIsGone() {
        open(addFile("a"), READ);
        create("b", WRITE);

        hive.get(files.releaseAll());

        assertThat(queen.releases).hasSize(2);
    }

    @Test
    void shouldGiveTheContentOfAWriteBack() {
        OpenedFile file = create("f", WRITE);
        ByteBuf content = buffer("hello");

        hive.get(files.write(file.handle(), 0, content, false, false));
        files.write(99, 0, content, false, false);

        assertThat(content.refCnt()).isEqualTo(1);
    }

    private void startHoneycomb(long inode) {
        honeycomb.start(0);
        queen.layout(inode).setAddress(honeycomb.address());
    }
}
