package org.beefs.honeybee.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.USER;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HiveFileSystemTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final OpenFlags TRUNCATE = new OpenFlags(true, true, true, false, false, false);
    private static final Duration WHILE = Duration.ofSeconds(6);

    private final FakeHive hive = FakeHive.started();
    private final FakeQueen queen = hive.queen;
    private final FakeHoneycomb honeycomb = hive.honeycomb;
    private final HiveFileSystem files = hive.files;

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
    void shouldTruncateByPathThroughAnOpenOfItsOwn() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        Attributes attributes = hive.get(files.setAttributes(USER, inode, size(2L, null)));

        assertThat(attributes.getSize()).isEqualTo(2);
        assertThat(honeycomb.content(inode)).isEqualTo("12");
        QueenRequest open = queen.requestsOf(QueenRequest.OperationCase.OPEN).getFirst();
        assertThat(open.getOpen().getWrite()).isTrue();
        assertThat(open.getCredentials()).isEqualTo(USER);
        assertThat(onlyRelease().getHandle()).isEqualTo(open.getOpen().getHandle());
        assertThat(onlyRelease().getStatus().getSize()).isEqualTo(2);
    }

    @Test
    void shouldTruncateThroughAnOpenHandle() {
        OpenedFile file = create("f", WRITE);
        write(file, "123456");

        Attributes attributes =
                hive.get(files.setAttributes(USER, file.attributes().getInode(), size(3L, file.handle())));

        assertThat(attributes.getSize()).isEqualTo(3);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.OPEN)).isEmpty();
        assertThat(queen.releases).isEmpty();
    }

    @Test
    void shouldTruncateOnOpen() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        OpenedFile file = open(inode, TRUNCATE);

        assertThat(honeycomb.content(inode)).isEmpty();
        assertThat(file.attributes().getSize()).isZero();
    }

    @Test
    void shouldTruncateWhatACreateHasFound() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        create("f", TRUNCATE);

        assertThat(honeycomb.content(inode)).isEmpty();
    }

    @Test
    void shouldNotTouchTheHoneycombForAFileThatIsNew() {
        create("f", TRUNCATE);

        assertThat(honeycomb.requests).isEmpty();
    }

    @Test
    void shouldReleaseAnOpenWhoseTruncationFailed() {
        long inode = addFile("f");
        honeycomb.stop();
        CompletableFuture<OpenedFile> open = files.open(ROOT, inode, TRUNCATE);

        hive.pass(Duration.ofSeconds(70));

        assertThat(hive.failure(open)).isEqualTo(Errno.EIO);
        assertThat(queen.releases).hasSize(1);
    }

    @Test
    void shouldReleaseAnOpenThatNobodyWaitsForAnyMore() {
        CompletableFuture<OpenedFile> open = files.open(ROOT, addFile("f"), READ);
        open.cancel(false);

        hive.timers.runDue();

        assertThat(queen.releases).hasSize(1);
    }

    @Test
    void shouldSetTimesOfACleanFileAtTheQueenOnly() {
        long inode = addFile("f");

        Attributes attributes = hive.get(files.setAttributes(ROOT, inode, mtime(at(500))));

        assertThat(attributes.getMtime().getSeconds()).isEqualTo(500);
        assertThat(honeycomb.requests).isEmpty();
        assertThat(queen.releases).isEmpty();
    }

    @Test
    void shouldSetTimesOfADirtyFileInBothPlacesAndReleaseWithThem() {
        OpenedFile file = create("f", WRITE);
        write(file, "x");

        Attributes attributes =
                hive.get(files.setAttributes(ROOT, file.attributes().getInode(), mtime(at(500))));

        assertThat(attributes.getMtime().getSeconds()).isEqualTo(500);
        assertThat(onlyRelease().getHandle()).isNotEqualTo(file.handle());
        assertThat(onlyRelease().getStatus().getMtime().getSeconds()).isEqualTo(500);
        assertThat(hive.get(files.getAttributes(file.attributes().getInode()))
                        .getMtime()
                        .getSeconds())
                .isEqualTo(500);
    }

    @Test
    void shouldMeanTheSameMomentByNowInBothPlaces() {
        OpenedFile file = create("f", WRITE);
        write(file, "x");

        hive.get(files.setAttributes(ROOT, file.attributes().getInode(), mtime(new TimeChange.Now())));

        assertThat(onlyRelease().getStatus().getMtime()).isEqualTo(FakeQueen.DECIDED_NOW);
    }

    @Test
    void shouldChangeModeSizeAndTimesInThatOrder() {
        long inode = addFile("f");
        honeycomb.put(inode, "123456", Timestamp.getDefaultInstance());

        Attributes attributes = hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(0600, null, null, 1L, null, at(500), null, false)));

        assertThat(attributes.getMode()).isEqualTo(0100600);
        assertThat(attributes.getSize()).isEqualTo(1);
        assertThat(attributes.getMtime().getSeconds()).isEqualTo(500);
    }

    @Test
    void shouldTakeSetIdBitsAwayBeforeAnUnprivilegedWrite() {
        long inode =
                queen.addFile("f", honeycomb.layout(), Attributes.newBuilder().setMode(0104755));
        OpenedFile file = open(inode, WRITE);

        hive.get(files.write(file.handle(), 0, buffer("x"), false, true));
        hive.get(files.write(file.handle(), 0, buffer("y"), false, true));

        assertThat(hive.get(files.getAttributes(inode)).getMode()).isEqualTo(0100755);
        assertThat(queen.requestsOf(QueenRequest.OperationCase.SET_ATTRIBUTES)).hasSize(1);
    }

    @Test
    void shouldReleaseAfterAWriteThatStillTakesSetIdBitsAway() {
        long inode =
                queen.addFile("f", honeycomb.layout(), Attributes.newBuilder().setMode(0104755));
        OpenedFile file = open(inode, WRITE);
        queen.setMute(true);
        files.write(file.handle(), 0, buffer("hello"), false, true);
        CompletableFuture<Void> released = files.release(file.handle());
        hive.timers.runDue();
        queen.setMute(false);

        hive.get(released, Duration.ofSeconds(15));

        assertThat(onlyRelease().getStatus().getSize()).isEqualTo(5);
    }

    @Test
    void shouldSeeThatSetIdBitsWereSetAfterTheOpen() {
        OpenedFile file = create("f", WRITE);
        long inode = file.attributes().getInode();
        hive.get(files.setAttributes(
                ROOT, inode, new AttributeChange(06755, null, null, null, null, null, null, false)));

        hive.get(files.write(file.handle(), 0, buffer("x"), false, true));

        assertThat(hive.get(files.getAttributes(inode)).getMode()).isEqualTo(0100755);
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

    @Test
    void shouldWriteAgainWhenTheQueenBeeHasMadeRoomInAFullHoneycomb() {
        OpenedFile file = create("f", WRITE);
        honeycomb.failure = Errno.ENOSPC;
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

        hive.get(files.flush(file.handle(), file.attributes().getInode(), 1));

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

    private OpenedFile create(String name, OpenFlags flags) {
        return hive.get(files.create(ROOT, FileSystem.ROOT, bytes(name), 0644, 0, flags));
    }

    private OpenedFile open(long inode, OpenFlags flags) {
        return hive.get(files.open(ROOT, inode, flags));
    }

    private void write(OpenedFile file, String text) {
        hive.get(files.write(file.handle(), 0, buffer(text), false, false));
    }

    private String read(OpenedFile file) {
        Payload payload = hive.get(files.read(file.handle(), 0, 100));
        String text = ((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8);
        payload.close();
        return text;
    }

    private long addFile(String name) {
        return queen.addFile(name, honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
    }

    private void startHoneycomb(long inode) {
        honeycomb.start(0);
        queen.layout(inode).setAddress(honeycomb.address());
    }

    private Release onlyRelease() {
        assertThat(queen.releases).hasSize(1);
        return queen.releases.getFirst();
    }

    private static AttributeChange size(Long size, @Nullable Long handle) {
        return new AttributeChange(null, null, null, size, null, null, handle, false);
    }

    private static AttributeChange mtime(TimeChange mtime) {
        return new AttributeChange(null, null, null, null, null, mtime, null, false);
    }

    private static TimeChange at(long seconds) {
        return new TimeChange.At(Instant.ofEpochSecond(seconds));
    }

    private static ByteBuf buffer(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }
}
