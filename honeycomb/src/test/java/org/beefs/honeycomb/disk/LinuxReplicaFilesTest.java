package org.beefs.honeycomb.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.disk.ReplicaFiles.ScannedFile;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxReplicaFilesTest {
    private static final ReplicaId ID = new ReplicaId(0x0000_0002_0001_2345L, 1);

    @TempDir
    Path folder;

    private LinuxReplicaFiles files;

    @BeforeEach
    void open() throws IOException {
        UserXattrs.require(folder);
        files = LinuxReplicaFiles.open(folder);
    }

    @AfterEach
    void close() {
        files.close();
    }

    private static ReplicaDescription description(ReplicaId id) {
        return ReplicaDescription.newBuilder()
                .setInode(id.inode())
                .setGeneration(id.generation())
                .setEpoch(1L << 32)
                .setKind(ReplicaKind.REPLICA_KIND_PRIMARY)
                .build();
    }

    private ReplicaFile opened(ReplicaId id) {
        return Objects.requireNonNull(files.open(id), "replica file");
    }

    private Path replica() {
        return folder.resolve("replicas/01/23/0000000200012345.00000001");
    }

    private static ByteBuffer bytes(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocateDirect(encoded.length).put(encoded).flip();
    }

    private static String read(ReplicaFile file, long position, int length) {
        ByteBuffer room = ByteBuffer.allocateDirect(length);
        file.read(room, position);
        return StandardCharsets.UTF_8.decode(room.flip()).toString();
    }

    private List<ScannedFile> scanned() {
        List<ScannedFile> found = new ArrayList<>();
        files.scan(found::add);
        return found;
    }

    @Test
    void shouldKeepAReplicaAsADescribedFileThatOnlyItsOwnerMayUse() throws IOException {
        assertThat(files.open(ID)).isNull();
        files.create(description(ID)).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(replica())))
                .isEqualTo("rw-------");
        for (String above : List.of("", "replicas/01", "replicas/01/23")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(above))))
                    .isEqualTo("rwx------");
        }
        byte[] xattr = (byte[]) Files.getAttribute(replica(), "user:beefs.replica");
        assertThat(ReplicaDescription.parseFrom(xattr)).isEqualTo(description(ID));
        try (ReplicaFile file = opened(ID)) {
            assertThat(file.description()).isEqualTo(description(ID));
        }
        assertThat(errnoOf(() -> files.create(description(ID)))).isEqualTo(Errno.EEXIST);
    }

    /** Of file systems that do not say, as tmpfs of older kernels, nothing is ever at hand. */
    @Test
    void shouldReadWhatIsInMemory() {
        try (ReplicaFile file = files.create(description(ID))) {
            file.write(bytes("honey"), 0);
            ByteBuffer room = ByteBuffer.allocateDirect(100);
            assumeThat(file.readAtHand(room, 0)).isNotEqualTo(ReplicaFile.NOT_AT_HAND);
            assertThat(StandardCharsets.UTF_8.decode(room.flip()).toString()).isEqualTo("honey");
            room.clear();
            assertThat(file.readAtHand(room, 5)).isZero();
        }
    }

    /** As a file system does that says nothing, a negative position is refused. */
    @Test
    void shouldAskNoMoreWhetherContentIsInMemoryOnceThatWasRefused() {
        try (ReplicaFile file = files.create(description(ID))) {
            file.write(bytes("honey"), 0);
            ByteBuffer room = ByteBuffer.allocateDirect(100);
            assertThat(file.readAtHand(room, Long.MIN_VALUE)).isEqualTo(ReplicaFile.NOT_AT_HAND);
            assertThat(file.readAtHand(room, 0)).isEqualTo(ReplicaFile.NOT_AT_HAND);
            assertThat(read(file, 0, 100)).isEqualTo("honey");
        }
    }

    @Test
    void shouldReadAndWriteAnywhere() {
        try (ReplicaFile file = files.create(description(ID))) {
            assertThat(file.write(bytes("honey"), 0)).isEqualTo(5);
            assertThat(file.write(bytes("comb"), 100_000)).isEqualTo(4);
            assertThat(read(file, 1, 3)).isEqualTo("one");
            assertThat(read(file, 99_998, 100)).isEqualTo("\0\0comb");
            assertThat(read(file, 100_004, 10)).isEmpty();
            assertThat(file.status().size()).isEqualTo(100_004);
            assertThat(errnoOf(() -> file.write(bytes("x"), Long.MAX_VALUE - 1)))
                    .isEqualTo(Errno.EFBIG);
        }
    }

    @Test
    void shouldTruncateAllocateAndSeek() {
        try (ReplicaFile file = files.create(description(ID))) {
            file.truncate(1 << 20);
            assertThat(file.status().size()).isEqualTo(1 << 20);
            assertThat(file.status().blocks()).isZero();
            file.write(bytes("data"), 64 << 10);
            assertThat(file.seek(0, false)).isEqualTo(64 << 10);
            assertThat(file.seek(0, true)).isZero();
            assertThat(errnoOf(() -> file.seek(2 << 20, false))).isEqualTo(Errno.ENXIO);
            file.allocate(0, 0, 2 << 20);
            assertThat(file.status().size()).isEqualTo(2 << 20);
            assertThat(file.status().blocks()).isGreaterThanOrEqualTo((2 << 20) / 512);
        }
    }

    @Test
    void shouldCopyPartsOfASparseFileWithTheirHoles() {
        ReplicaId other = new ReplicaId(7, 0);
        try (ReplicaFile from = files.create(description(ID));
                ReplicaFile to = files.create(description(other))) {
            from.truncate(8 << 20);
            from.write(bytes("honey"), 1 << 20);
            from.write(bytes("money"), 5 << 20);
            assumeThat(from.status().allocated()).isLessThan(1 << 20);

            SparseCopy.copy(from, to, 0, 4 << 20);
            assertThat(to.status().size()).as("no money yet").isLessThan(5 << 20);
            SparseCopy.copy(from, to, 4 << 20, 4 << 20);

            assertThat(to.status().allocated()).isEqualTo(from.status().allocated());
            assertThat(read(to, 1 << 20, 5)).isEqualTo("honey");
            assertThat(read(to, 5 << 20, 5)).isEqualTo("money");
        }
    }

    @Test
    void shouldSetTimesToTheNanosecondAndLeaveOthersAlone() {
        Timestamp old =
                Timestamp.newBuilder().setSeconds(-7).setNanos(123_456_789).build();
        try (ReplicaFile file = files.create(description(ID))) {
            FileStatus before = file.status();
            file.setTimes(SetTimes.newBuilder().setMtime(old).build());
            assertThat(file.status().mtime()).isEqualTo(old);
            assertThat(file.status().atime()).isEqualTo(before.atime());

            file.setTimes(SetTimes.newBuilder().setAtime(old).build());
            assertThat(file.status().atime()).isEqualTo(old);
            assertThat(file.status().mtime()).isEqualTo(old);
        }
    }

    /** As ext4 does with inodes of 128 bytes. */
    @Test
    void shouldRefuseAFileSystemThatKeepsWholeSecondsOnly() {
        try (ReplicaFile file = files.create(description(ID))) {
            assertThatThrownBy(() -> LinuxReplicaFiles.checkTimes(inWholeSeconds(file), folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("times to the nanosecond");

            assertThatCode(() -> LinuxReplicaFiles.checkTimes(file, folder)).doesNotThrowAnyException();
        }
    }

    private static ReplicaFile inWholeSeconds(ReplicaFile file) {
        return (ReplicaFile) Proxy.newProxyInstance(
                ReplicaFile.class.getClassLoader(), new Class<?>[] {ReplicaFile.class}, (_, method, arguments) -> {
                    if (method.getName().equals("setTimes")) {
                        SetTimes.Builder cut = ((SetTimes) arguments[0]).toBuilder();
                        cut.getMtimeBuilder().setNanos(0);
                        file.setTimes(cut.build());
                        return null;
                    }
                    return method.invoke(file, arguments);
                });
    }

    @Test
    void shouldNotChangeMtimeWhenItDescribes() {
        try (ReplicaFile file = files.create(description(ID))) {
            Timestamp mtime = file.status().mtime();
            file.describe(description(ID).toBuilder().setVersion(4).build());
            assertThat(file.status().mtime()).isEqualTo(mtime);
            assertThat(Objects.requireNonNull(file.description()).getVersion()).isEqualTo(4);
        }
    }

    @Test
    void shouldChangeNothingWhenItSyncsContentAndNames() {
        try (ReplicaFile file = files.create(description(ID))) {
            file.write(bytes("honey"), 0);
            FileStatus before = file.status();

            file.sync(true);
            file.sync(false);
            files.syncName(ID);
            files.syncName(ID);
            files.syncAll();

            assertThat(file.status().mtime()).isEqualTo(before.mtime());
            assertThat(read(file, 0, 5)).isEqualTo("honey");
        }
    }

    @Test
    void shouldFailToSyncANameWhoseFolderIsNotThere() {
        assertThat(errnoOf(() -> files.syncName(ID))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldSyncTheRemovalOfReplicasThatWereNeverThere() {
        files.create(description(ID)).close();
        files.delete(ID);

        files.syncRemovals(List.of(ID, new ReplicaId(0xff_0000, 0)));
    }

    @Test
    void shouldLeaveNoPartOfACopyBehindThatFails() throws IOException {
        files.create(description(ID)).close();
        FencedFiles fenced = files.fenced();
        String name = fenced.take(ID);
        Files.createFile(folder.resolve("replicas/ff")); // where the copy's folder would be

        assertThatThrownBy(() -> fenced.copy(name, description(new ReplicaId(0xff_0000, 0))))
                .isInstanceOf(PosixException.class);

        assertThat(folder.resolve("fenced/uncopied/" + name)).isDirectoryNotContaining("glob:**/copy");
        assertThat(fenced.uncopied()).containsExactly(name);
    }

    @Test
    void shouldDeleteAlsoWhatIsNotThere() {
        files.create(description(ID)).close();
        files.delete(ID);
        files.delete(ID);
        assertThat(files.open(ID)).isNull();
        assertThat(scanned()).isEmpty();
    }

    @Test
    void shouldOfferAChannelOfTheVeryFileEvenWhenItsNameIsGone() throws IOException {
        try (ReplicaFile file = files.create(description(ID))) {
            file.write(bytes("honey"), 0);
            files.delete(ID);
            ByteBuffer room = ByteBuffer.allocate(5);
            assertThat(Objects.requireNonNull(file.channel()).read(room, 0)).isEqualTo(5);
            assertThat(StandardCharsets.UTF_8.decode(room.flip()).toString()).isEqualTo("honey");
        }
    }

    @Test
    void shouldFindEachFileAndTellWhichAreNoReplicas() throws IOException {
        files.create(description(ID)).close();
        Path leaf = folder.resolve("replicas/01/23");
        Files.createFile(leaf.resolve("0000000200012346.00000000"));
        Files.createFile(leaf.resolve("notes.txt"));
        Files.createFile(folder.resolve("replicas/0000000000000007.00000000"));
        files.create(description(new ReplicaId(8, 0))).close();
        Files.move(
                folder.resolve("replicas/00/00/0000000000000008.00000000"),
                folder.resolve("replicas/00/00/0000000000000009.00000000"));

        assertThat(scanned())
                .filteredOn(file -> file.description() != null)
                .extracting(ScannedFile::description)
                .containsExactly(description(ID));
        assertThat(scanned())
                .filteredOn(file -> file.description() == null)
                .extracting(ScannedFile::path)
                .containsExactlyInAnyOrder(
                        "replicas/01/23/0000000200012346.00000000",
                        "replicas/01/23/notes.txt",
                        "replicas/0000000000000007.00000000",
                        "replicas/00/00/0000000000000009.00000000");
    }

    @Test
    void shouldKeepTheContentOfQuarantinedFilesAlsoOfEqualNames() throws IOException {
        for (String content : List.of("first", "second")) {
            Files.createDirectories(folder.resolve("replicas/aa"));
            Files.writeString(folder.resolve("replicas/aa/file"), content);
            files.quarantine("replicas/aa/file");
        }
        assertThat(folder.resolve("lost/file")).hasContent("first");
        assertThat(folder.resolve("lost/file~2")).hasContent("second");
        assertThat(scanned()).isEmpty();
    }

    @Test
    void shouldKeepTheIdentity() {
        assertThat(files.readIdentity()).isNull();
        files.writeIdentity(new byte[] {1});
        files.writeIdentity(new byte[] {2, 3});
        assertThat(files.readIdentity()).containsExactly(2, 3);
    }

    @Test
    void shouldMakeNothingAtItsPlaceWhenTheFolderWasMoved() throws IOException {
        files.close();
        Path place = folder.resolve("honeycomb");
        files = LinuxReplicaFiles.open(place);
        files.create(description(ID)).close();
        Path elsewhere = Files.move(place, folder.resolve("elsewhere"));

        assertThat(errnoOf(() -> files.create(description(new ReplicaId(7, 0)))))
                .isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> files.writeIdentity(new byte[] {1}))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> files.open(ID)))
                .as("it is not taken for missing")
                .isEqualTo(Errno.EIO);
        assertThatThrownBy(() -> files.fenced().take(ID)).isInstanceOf(PosixException.class);
        assertThat(place).doesNotExist();

        Files.move(elsewhere, place);
        opened(ID).close();
        assertThat(files.open(new ReplicaId(7, 0))).isNull();
    }

    @Test
    void shouldNotGiveItsIdentityToAFolderThatCoversItsOwn() throws IOException {
        files.close();
        Path place = folder.resolve("honeycomb");
        files = LinuxReplicaFiles.open(place);
        Files.move(place, folder.resolve("covered"));
        Files.createDirectories(place.resolve("replicas"));
        Files.createFile(place.resolve("lock"));
        Path other = Files.writeString(place.resolve("honeycomb.json"), "another one's");

        assertThat(errnoOf(() -> files.writeIdentity(new byte[] {1}))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> files.create(description(ID)))).isEqualTo(Errno.EIO);
        assertThat(other).hasContent("another one's");
        assertThat(place.resolve("replicas")).isEmptyDirectory();
    }

    /** As one that a virus scanner keeps everybody from. */
    @Test
    void shouldFindAFileThatMayNotBeOpened() throws IOException {
        files.create(description(ID)).close();
        Files.setPosixFilePermissions(replica(), Set.of());
        assumeThat(Files.isReadable(replica())).as("to a superuser").isFalse();

        assertThat(scanned()).extracting(ScannedFile::unreadable).containsExactly(ID);
    }

    @Test
    void shouldTakeAllFailuresForTheFilesButThoseOfTheProcess() {
        assertThat(List.of(Errno.EPERM, Errno.EACCES, Errno.EIO, Errno.ETXTBSY)).allMatch(ReplicaFiles::isOfTheFile);
        assertThat(List.of(Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM)).noneMatch(ReplicaFiles::isOfTheFile);
    }

    @Test
    void shouldTellTheDisksSpace() {
        assertThat(files.space().total()).isGreaterThan(files.space().free());
        assertThat(files.space().free()).isPositive();
    }

    @Test
    void shouldRefuseAFolderThatIsUsedAlready() throws IOException {
        assertThatThrownBy(() -> LinuxReplicaFiles.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("used by another process");
        files.close();
        files = LinuxReplicaFiles.open(folder);
    }

    @Test
    void shouldRefuseAFolderThatCannotBeMade() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> LinuxReplicaFiles.open(file.resolve("folder")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be used");
    }
}
