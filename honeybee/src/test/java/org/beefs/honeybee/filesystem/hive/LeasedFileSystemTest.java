package org.beefs.honeybee.filesystem.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.cache.RecordingKernel;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.junit.jupiter.api.Test;

/** The file system between a queen-bee that grants leases and the kernels that ask. */
class LeasedFileSystemTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, true, false, false);

    private final FakeHive hive = new FakeHive();
    private final FakeQueen queen = hive.queen;
    private final HiveFileSystem files = hive.files;

    LeasedFileSystemTest() {
        queen.grants = true;
        hive.get(hive.session.start());
    }

    @Test
    void shouldAskForANameAndItsAttributesOnce() {
        long inode = addFile("f");

        assertThat(lookup("f").getInode()).isEqualTo(inode);
        assertThat(lookup("f").getInode()).isEqualTo(inode);
        hive.get(files.getAttributes(inode));

        assertAsked(OperationCase.LOOKUP, 1);
        assertAsked(OperationCase.GET_ATTRIBUTES, 0);
    }

    @Test
    void shouldAskOnceForANameThatIsAbsent() {
        for (int i = 0; i < 2; i++) {
            assertThat(hive.failure(files.lookup(ROOT, FileSystem.ROOT, bytes("gone"))))
                    .isEqualTo(Errno.ENOENT);
        }

        assertAsked(OperationCase.LOOKUP, 1);
    }

    /** Else who looks at what was just read would ask each time. */
    @Test
    void shouldLetTheKernelKeepATimeOfAccessThatTheQueenBeeDoesNotKnowYet() {
        long inode = addFile("f");
        Lifetimes kept = files.attach(new RecordingKernel());
        Attributes before = lookup("f");
        hive.pass(Duration.ofMillis(1));
        hive.get(files.read(hive.get(files.open(ROOT, inode, READ)).handle(), 0, 1))
                .close();

        Attributes after = hive.get(files.getAttributes(inode));

        assertThat(after.getAtime()).isNotEqualTo(before.getAtime());
        assertThat(kept.attributes(after)).isPositive();
    }

    @Test
    void shouldListOnceAndThenKnowAllNames() {
        addFile("f");
        addFile("g");

        assertThat(list().entries()).hasSize(2);
        assertThat(list().entries()).extracting(Entry::name).containsExactly(bytes("f"), bytes("g"));
        lookup("g");
        assertThat(hive.failure(files.lookup(ROOT, FileSystem.ROOT, bytes("gone"))))
                .isEqualTo(Errno.ENOENT);

        assertAsked(OperationCase.LIST_DIRECTORY, 1);
        assertAsked(OperationCase.LOOKUP, 0);
    }

    @Test
    void shouldAskAgainForWhatWasRecalled() {
        long inode = addFile("f");
        lookup("f");
        hive.get(queen.recall(Recall.newBuilder().addInodes(inode).build()));
        queen.node(inode).getAttributesBuilder().setUid(1000);

        assertThat(hive.get(files.getAttributes(inode)).getUid()).isEqualTo(1000);
        hive.get(queen.recall(Recall.newBuilder()
                .addEntries(EntryName.newBuilder().setDirectory(FileSystem.ROOT).setName(bytes("f")))
                .build()));
        lookup("f");

        assertAsked(OperationCase.LOOKUP, 2);
    }

    @Test
    void shouldKeepAnAnswerThatIsNewerThanARecall() {
        long inode = addFile("f");
        CompletableFuture<Attributes> asked = files.lookup(ROOT, FileSystem.ROOT, bytes("f"));
        queen.recall(Recall.newBuilder().addInodes(inode).build());

        hive.get(asked);

        assertThat(hive.session.cache().node(inode)).isNotNull();
    }

    @Test
    void shouldKnowItsOwnChangesWithoutAsking() {
        hive.get(files.getAttributes(FileSystem.ROOT));
        OpenedFile file = hive.get(files.create(ROOT, FileSystem.ROOT, bytes("f"), 0644, 0, WRITE));
        lookup("f");
        hive.get(files.getAttributes(FileSystem.ROOT));
        hive.get(files.release(file.handle()));
        hive.get(files.unlink(ROOT, FileSystem.ROOT, bytes("f")));

        assertThat(hive.failure(files.lookup(ROOT, FileSystem.ROOT, bytes("f"))))
                .isEqualTo(Errno.ENOENT);

        assertAsked(OperationCase.LOOKUP, 0);
        assertAsked(OperationCase.GET_ATTRIBUTES, 1);
    }

    @Test
    void shouldAskTheHoneycombEachTimeForTheSizeOfADirtyFile() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true);
        for (int size = 1; size <= 3; size++) {
            Timestamp mtime = Timestamp.newBuilder().setSeconds(size).build();
            hive.honeycomb.put(inode, "x".repeat(size), mtime);
            assertThat(hive.get(files.getAttributes(inode)).getSize()).isEqualTo(size);
        }

        assertAsked(OperationCase.GET_ATTRIBUTES, 1);
        assertThat(hive.honeycomb.requestsOf(DataRequest.OperationCase.GET_STATUSES))
                .hasSize(3);
    }

    @Test
    void shouldNotShowWhenAReplicaWasSealed() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true).setVersion(5);
        hive.honeycomb.put(inode, "12345", at(10));
        hive.get(files.getAttributes(inode));
        queen.layout(inode).setDirty(false).setVersion(6);
        queen.node(inode).getAttributesBuilder().setSize(5).setCtime(at(10));
        hive.honeycomb.seal(inode, 6, at(20));

        assertThat(hive.get(files.getAttributes(inode)).getCtime()).isEqualTo(at(10));
    }

    @Test
    void shouldBelieveAReplicaThatStillCarriesTheVersionBefore() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true).setVersion(5);
        hive.honeycomb.put(inode, "12345", at(10));
        hive.honeycomb.seal(inode, 5, at(20));

        for (int i = 0; i < 2; i++) {
            hive.get(files.getAttributes(inode));
        }

        assertAsked(OperationCase.GET_ATTRIBUTES, 1);
    }

    @Test
    void shouldSeeWithinASecondThatAFileIsNotDirtyAnyMore() {
        long inode = addFile("f");
        queen.layout(inode).setDirty(true);
        hive.honeycomb.put(inode, "12345", Timestamp.getDefaultInstance());
        hive.get(files.getAttributes(inode));
        queen.layout(inode).setDirty(false);
        queen.node(inode).getAttributesBuilder().setSize(7);

        hive.pass(Duration.ofSeconds(1));

        assertThat(hive.get(files.getAttributes(inode)).getSize()).isEqualTo(7);
    }

    @Test
    void shouldForgetEverythingWhenItRegistersAnew() {
        addFile("f");
        lookup("f");

        queen.breakConnections();
        hive.pass(Duration.ofSeconds(1));

        lookup("f");
        assertAsked(OperationCase.LOOKUP, 2);
    }

    @Test
    void shouldForgetEverythingWhenTheQueenBeeIsSilent() {
        long inode = addFile("f");
        lookup("f");
        queen.setMute(true);

        hive.pass(Duration.ofSeconds(5));

        assertThat(hive.session.cache().node(inode)).isNull();
        queen.setMute(false);
        hive.get(files.lookup(ROOT, FileSystem.ROOT, bytes("f")), Duration.ofSeconds(20));
        lookup("f");
        assertThat(hive.session.cache().node(inode)).isNotNull();
    }

    @Test
    void shouldForgetEverythingAfterAChangeOfUnknownOutcome() {
        long inode = addFile("f");
        lookup("f");
        queen.setMute(true);
        CompletableFuture<Void> change = files.unlink(ROOT, FileSystem.ROOT, bytes("f"));
        hive.pass(Duration.ofSeconds(61));
        assertThat(hive.failure(change)).isEqualTo(Errno.EIO);

        assertThat(hive.session.cache().node(inode)).isNull();
    }

    @Test
    void shouldKeepNoLeasesOfAnAnswerThatWasKeptForALostConnection() {
        queen.loseAnswers(1);

        OpenedFile file =
                hive.get(files.create(ROOT, FileSystem.ROOT, bytes("f"), 0644, 0, WRITE), Duration.ofSeconds(3));

        assertThat(hive.session.cache().node(file.attributes().getInode())).isNull();
        lookup("f");
        assertAsked(OperationCase.LOOKUP, 1);
    }

    @Test
    void shouldForgetEverythingWhenItSaysGoodbye() {
        long inode = addFile("f");
        lookup("f");

        hive.get(hive.session.stop());

        assertThat(hive.session.cache().node(inode)).isNull();
    }

    private static Timestamp at(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).build();
    }

    private long addFile(String name) {
        return queen.addFile(
                name, hive.honeycomb.layout(), Attributes.newBuilder().setMode(0100644));
    }

    private Attributes lookup(String name) {
        return hive.get(files.lookup(ROOT, FileSystem.ROOT, bytes(name)));
    }

    private Listing list() {
        return hive.get(files.listDirectory(FileSystem.ROOT, 0, 100, true));
    }

    private void assertAsked(OperationCase operation, int times) {
        assertThat(queen.requestsOf(operation)).hasSize(times);
    }
}
