package org.beefs.honeycomb.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ManualClock;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class RocksCatalogTest {
    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private RocksCatalog catalog;

    @BeforeEach
    void open() throws IOException {
        catalog = RocksCatalog.open(folder.resolve("catalog"), clock);
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private void reopen() throws IOException {
        close();
        open();
    }

    private static ReplicaDescription replica(long inode, int generation) {
        return ReplicaDescription.newBuilder()
                .setInode(inode)
                .setGeneration(generation)
                .setEpoch(1L << 32)
                .build();
    }

    @Test
    void shouldFindWhatWasPutUntilItIsRemoved() throws IOException {
        catalog.put(replica(5, 0));
        catalog.put(replica(5, 0).toBuilder().setVersion(3).build());
        reopen();
        assertThat(catalog.find(new ReplicaId(5, 0)))
                .isEqualTo(replica(5, 0).toBuilder().setVersion(3).build());
        catalog.remove(new ReplicaId(5, 0));
        assertThat(catalog.find(new ReplicaId(5, 0))).isNull();
    }

    @Test
    void shouldHaveOnDiskWhatTheMarkVouchesFor() throws IOException {
        catalog.put(replica(4, 0));
        catalog.put(replica(5, 0));
        catalog.remove(new ReplicaId(4, 0));
        catalog.markComplete(1, 100);

        try (RocksCatalog copy = RocksCatalog.open(copyAsIfKilled())) {
            assertThat(copy.takeMark(2)).hasValue(100);
            assertThat(copy.page(null, 10)).containsExactly(replica(5, 0));
        }
    }

    @Test
    void shouldListWhatItHasThoughItsDatabaseRefusesWrites() throws IOException {
        catalog.put(replica(4, 0));
        catalog.put(replica(6, 0));
        Path elsewhere = failWrites();
        catalog.put(replica(5, 0));
        ReplicaDescription sealed = replica(6, 0).toBuilder().setVersion(3).build();
        catalog.put(sealed);

        assertThat(catalog.page(null, 10)).containsExactly(replica(4, 0), replica(5, 0), sealed);
        assertThat(catalog.page(null, 2)).containsExactly(replica(4, 0), replica(5, 0));
        assertThat(catalog.page(new ReplicaId(5, 0), 2)).containsExactly(sealed);
        Files.move(elsewhere, folder.resolve("catalog"));
    }

    @Test
    void shouldTakeWritesAgainAndHaveLostNothingWhenItsDiskIsWellAgain() throws IOException {
        catalog.put(replica(4, 0));
        catalog.put(replica(6, 0));
        reopen();
        catalog.put(replica(7, 0));
        write(1, record(2, 1, "a record"));
        catalog.remove(new ReplicaId(6, 0));
        Path elsewhere = failWrites();
        catalog.put(replica(5, 0));
        assertThat(catalog.page(null, 10)).containsExactly(replica(4, 0), replica(5, 0), replica(7, 0));
        Files.move(elsewhere, folder.resolve("catalog"));
        assertThatThrownBy(() -> catalog.markComplete(1, 100))
                .as("it was tried a moment ago")
                .isInstanceOf(PosixException.class);
        clock.advance(Duration.ofMinutes(2));
        assertThatThrownBy(() -> catalog.markComplete(1, 100)).isInstanceOf(PosixException.class);

        catalog.markComplete(1, 100);

        reopen();
        assertThat(catalog.page(null, 10)).containsExactly(replica(4, 0), replica(5, 0), replica(7, 0));
        assertThat(catalog.takeMark(2)).hasValue(100);
        assertThat(catalog.records().count()).isEqualTo(1);
    }

    /** Lets the database's disk fail once. The answer is where its folder is now. */
    private Path failWrites() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Files.move(folder.resolve("catalog"), elsewhere);
        assertThatThrownBy(() -> catalog.markComplete(1, 100)).isInstanceOf(PosixException.class);
        return elsewhere;
    }

    private Path copyAsIfKilled() throws IOException {
        Path copy = Files.createDirectory(folder.resolve("copy"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve("catalog"))) {
            for (Path file : files) {
                Files.copy(file, copy.resolve(file.getFileName().toString()));
            }
        }
        return copy;
    }

    @Test
    void shouldFindAndRemoveEachOfManyMoreThanWaitToBeWritten() {
        long most = 2 * UnwrittenRecords.MOST + 7;
        for (long inode = 1; inode <= most; inode++) {
            catalog.put(replica(inode, 0));
        }
        for (long inode = 1; inode <= most; inode++) {
            ReplicaId id = new ReplicaId(inode, 0);
            assertThat(catalog.find(id)).isEqualTo(replica(inode, 0));
            catalog.remove(id);
            assertThat(catalog.find(id)).isNull();
        }
        assertThat(catalog.page(null, 10)).isEmpty();
    }

    @Test
    void shouldSayWhatWasPutLastOfAReplicaThatItHadWrittenBefore() throws IOException {
        catalog.put(replica(5, 0));
        reopen();
        ReplicaDescription sealed = replica(5, 0).toBuilder().setVersion(3).build();
        catalog.put(sealed);
        assertThat(catalog.find(new ReplicaId(5, 0))).isEqualTo(sealed);
        assertThat(catalog.page(null, 10)).containsExactly(sealed);
    }

    @Test
    void shouldListReplicasInOrderPageByPage() {
        List<ReplicaDescription> all =
                List.of(replica(1, 0), replica(1, 1), replica(2, 0), replica(1L << 40, 0), replica(-1, 0));
        all.reversed().forEach(catalog::put);

        assertThat(catalog.page(null, 3)).isEqualTo(all.subList(0, 3));
        assertThat(catalog.page(new ReplicaId(2, 0), 3)).isEqualTo(all.subList(3, 5));
        assertThat(catalog.page(new ReplicaId(1, 5), 1)).isEqualTo(all.subList(2, 3));
        assertThat(catalog.page(new ReplicaId(-1, 0), 3)).isEmpty();
    }

    @Test
    void shouldKnowTheHighestInodeThatHasOrHadAReplica() throws IOException {
        assertThat(catalog.highestInode()).isZero();
        catalog.put(replica(1L << 41, 0));
        catalog.put(replica(5, 0));
        catalog.markComplete(1, 100);
        reopen();
        assertThat(catalog.highestInode()).isEqualTo(1L << 41);
        catalog.put(replica(1L << 42, 0));
        catalog.remove(new ReplicaId(1L << 42, 0));
        assertThat(catalog.highestInode()).isEqualTo(1L << 42);
    }

    @Test
    void shouldKeepAChecksumOfOneVersionUntilItsReplicaIsRemoved() throws IOException {
        ReplicaId id = new ReplicaId(5, 0);
        catalog.put(replica(5, 0));
        catalog.scrub().putChecksum(id, 7, ByteString.copyFromUtf8("seven"));
        catalog.scrub().putRound(ScrubRound.newBuilder().setReplicas(3).build());
        catalog.clear();
        reopen();
        assertThat(catalog.scrub().checksum(id, 7)).isEqualTo(ByteString.copyFromUtf8("seven"));
        assertThat(catalog.scrub().checksum(id, 8)).isNull();
        assertThat(catalog.scrub().round().getReplicas()).isEqualTo(3);
        assertThat(catalog.page(null, 10)).isEmpty();

        catalog.remove(id);
        assertThat(catalog.scrub().checksum(id, 7)).isNull();
    }

    @Test
    void shouldForgetTheChecksumOfAReplicaThatIsGoneBeforeItsRecordIsWritten() throws IOException {
        ReplicaId id = new ReplicaId(5, 0);
        catalog.scrub().putChecksum(id, 7, ByteString.copyFromUtf8("seven"));
        reopen();
        catalog.put(replica(5, 0));
        catalog.remove(id);
        assertThat(catalog.scrub().checksum(id, 7)).isNull();
    }

    @Test
    void shouldForgetAllReplicasButNotTheMark() {
        catalog.put(replica(5, 0));
        catalog.markComplete(1, 100);
        catalog.clear();
        assertThat(catalog.page(null, 10)).isEmpty();
        assertThat(catalog.takeMark(2)).hasValue(100);
    }

    @Test
    void shouldTakeTheMarkOfTheLastBootOnce() throws IOException {
        assertThat(catalog.takeMark(1)).isEmpty();
        catalog.markComplete(1, 4096);
        reopen();
        assertThat(catalog.takeMark(2)).hasValue(4096);
        reopen();
        assertThat(catalog.takeMark(3)).isEmpty();
    }

    @Test
    void shouldNotBelieveTheMarkOfAnEarlierBoot() {
        catalog.markComplete(1, 4096);
        assertThat(catalog.takeMark(3)).isEmpty();
    }

    interface Harm {
        void to(Path file) throws IOException;
    }

    private static final Harm REMOVE = Files::delete;
    private static final Harm SPOIL = file -> Files.writeString(file, "garbage");

    /** Only the first block, which holds all that tests put: the file can still be opened. */
    private static final Harm SPOIL_A_BLOCK = file -> {
        byte[] bytes = Files.readAllBytes(file);
        bytes[0] ^= 1;
        Files.write(file, bytes);
    };

    private static Stream<Arguments> harms() {
        return Stream.of(
                arguments("CURRENT", SPOIL),
                arguments("CURRENT", REMOVE),
                arguments("MANIFEST*", SPOIL),
                arguments("MANIFEST*", REMOVE),
                arguments("*.sst", SPOIL),
                arguments("*.sst", SPOIL_A_BLOCK),
                arguments("*.sst", REMOVE));
    }

    private void harm(String files, Harm harm) throws IOException {
        catalog.close();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.resolve("catalog"), files)) {
            for (Path entry : entries) {
                harm.to(entry);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("harms")
    void shouldBeginAnewWhenItIsDamagedAndKeepWhatIsLeft(String files, Harm harm) throws IOException {
        catalog.put(replica(5, 0));
        catalog.markComplete(1, 100);
        write(10, record(5, 10, "ten"));
        harm(files, harm);

        open();

        assertThat(catalog.page(null, 10)).isEmpty();
        assertThat(catalog.records().count()).isZero();
        catalog.put(replica(6, 0));
        assertThat(catalog.find(new ReplicaId(6, 0))).isNotNull();
        assertThat(folder.resolve("catalog.damaged"))
                .as("with the record, which is in the log")
                .isDirectoryContaining("glob:**.log");
    }

    /** RocksDB's own log, which otherwise grows as long as the daemon runs. */
    @Test
    void shouldKeepRocksDbsOwnLogSmall() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("catalog"))) {
            Path options = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .findAny()
                    .orElseThrow();
            assertThat(options)
                    .content()
                    .contains(
                            "max_log_file_size=1048576\n", "stats_dump_period_sec=0\n", "info_log_level=WARN_LEVEL\n");
        }
    }

    /** As when the version of yesterday comes back. */
    @Test
    void shouldNotBeginAnewWhatANewerLibraryHasWritten() throws IOException {
        catalog.put(replica(5, 0));
        catalog.markComplete(1, 100);
        harm("*.sst", file -> setTableFormat(file, 7, 8));

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("because a newer version of BeeFS seems to have written it; start that one");

        assertThat(folder.resolve("catalog.damaged")).doesNotExist();
        harm("*.sst", file -> setTableFormat(file, 8, 7));
        open();
        assertThat(catalog.find(new ReplicaId(5, 0))).isNotNull();
    }

    /** It is the last but one of a table's fields, of four bytes, before the magic number of eight. */
    private static void setTableFormat(Path table, int from, int to) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(table)).order(ByteOrder.LITTLE_ENDIAN);
        int place = bytes.capacity() - Long.BYTES - Integer.BYTES;
        assertThat(bytes.getInt(place)).isEqualTo(from);
        Files.write(table, bytes.putInt(place, to).array());
    }

    @Test
    void shouldKeepOneDamagedCatalogTheLatest() throws IOException {
        harm("CURRENT", SPOIL);
        open();
        Files.createFile(folder.resolve("catalog.damaged/first"));
        harm("CURRENT", SPOIL);
        open();
        assertThat(folder.resolve("catalog.damaged")).isDirectoryNotContaining("glob:**first");
        assertThat(folder).isDirectoryNotContaining("glob:**damaged?*");
    }

    @Test
    void shouldNotBeginAnewWhatSomebodyElseHasOpen() throws IOException {
        write(10, record(5, 10, "ten"));

        assertThatThrownBy(() -> RocksCatalog.open(folder.resolve("catalog")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be opened");

        assertThat(folder.resolve("catalog.damaged")).doesNotExist();
        reopen();
        assertThat(catalog.records().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "LOCK", "MANIFEST*"})
    void shouldLoseNothingOfWhatCannotBeReadNow(String files) throws IOException {
        write(10, record(5, 10, "ten"));
        Harm hide = file -> {
            Files.move(file, file.resolveSibling("hidden " + file.getFileName()));
            Files.createDirectory(file);
        };
        harm(files, hide);

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve("catalog").toString())
                .hasMessageContaining("start again");

        harm(files, REMOVE);
        harm(
                "hidden *",
                file -> Files.move(
                        file, file.resolveSibling(file.getFileName().toString().substring("hidden ".length()))));
        open();
        assertThat(catalog.records().count()).isEqualTo(1);
    }

    @Test
    void shouldSayThatTheDiskIsFull() {
        Status full = new Status(Status.Code.IOError, Status.SubCode.NoSpace, "While appending");
        assertThat(UnopenedCatalog.failure(folder, new RocksDBException(full)))
                .hasMessageContaining("its disk is full")
                .hasMessageContaining("free some space");
        Status other = new Status(Status.Code.IOError, Status.SubCode.None, "Too many open files");
        assertThat(UnopenedCatalog.failure(folder, new RocksDBException(other)))
                .hasMessageContaining("Too many open files")
                .hasMessageNotContaining("full");
    }

    private static final ByteString HIVE = ByteString.copyFromUtf8("sixteen bytes id");

    private static Record record(long inode, long sequence, String content) {
        return Record.newBuilder()
                .setInode(inode)
                .setSequence(sequence)
                .setContent(ByteString.copyFromUtf8(content))
                .build();
    }

    private void write(long asOf, Record... records) {
        catalog.records()
                .write(Records.newBuilder()
                        .setHive(HIVE)
                        .setAsOf(asOf)
                        .setComplete(asOf)
                        .addAllRecords(List.of(records))
                        .build());
    }

    private void forget(long asOf, long inode) {
        catalog.records()
                .write(Records.newBuilder()
                        .setHive(HIVE)
                        .setAsOf(asOf)
                        .addForgotten(inode)
                        .build());
    }

    @Test
    void shouldKeepTheLatestRecordOfEachInode() throws IOException {
        write(10, record(5, 10, "ten"), record(1L << 41, 10, "far"), record(0, 10, "hive"));
        write(12, record(5, 12, "twelve"));
        write(11, record(5, 11, "late"));
        catalog.clear();
        reopen();
        assertThat(catalog.records().page(0, 10, 1000))
                .containsExactly(record(0, 10, "hive"), record(5, 12, "twelve"), record(1L << 41, 10, "far"));
        assertThat(catalog.records().page(6, 10, 1000)).containsExactly(record(1L << 41, 10, "far"));
        assertThat(catalog.records().page(0, 10, 1)).hasSize(1);
        assertThat(catalog.records().count()).isEqualTo(3);
        assertThat(catalog.records().state().getComplete()).isEqualTo(12);
    }

    @Test
    void shouldNotPassForCompleteAfterARepairThatGaveUpTables() throws IOException {
        repairWithout("000009.sst");

        assertThat(catalog.records().state().getComplete()).isZero();
        assertThat(catalog.records().state().getHive()).isEqualTo(HIVE);
        assertThat(catalog.records().count()).isEqualTo(1);

        forget(11, 6);
        assertThat(catalog.records().state().getComplete()).isZero();
        write(12, record(5, 12, "twelve"));
        assertThat(catalog.records().state().getComplete())
                .as("when it was told everything again")
                .isEqualTo(12);
        reopen();
        assertThat(catalog.records().state().getComplete()).isEqualTo(12);
    }

    @Test
    void shouldPassForCompleteAfterARepairThatKeptAllTables() throws IOException {
        repairWithout("000008.log");

        assertThat(catalog.records().state().getComplete()).isEqualTo(10);
    }

    /** A catalog of one record is opened after a repair that has given that file up. */
    private void repairWithout(String lost) throws IOException {
        write(10, record(5, 10, "ten"));
        Files.createFile(Files.createDirectory(folder.resolve("catalog/lost")).resolve(lost));
        reopen();
    }

    /** Otherwise the start would move it aside again. */
    @Test
    void shouldTakeADamagedCatalogBackWhenItWasRepaired() throws IOException {
        write(10, record(5, 10, "ten"));
        UnopenedCatalog.noteDamage(folder.resolve("catalog"));
        reopen();
        assertThat(catalog.records().count()).isZero();

        catalog.close();
        Files.move(folder.resolve("catalog"), folder.resolve("empty"));
        Files.move(folder.resolve("catalog.damaged"), folder.resolve("catalog"));
        open();

        assertThat(catalog.records().count()).isEqualTo(1);
    }

    /** A cold disk takes longer to show all of many than a recovery waits. */
    @Test
    void shouldSayAboutHowManyRecordsThereAreOfMany() {
        int many = 2 * RocksRecords.MOST_COUNTED;
        Record[] records = LongStream.range(0, many)
                .mapToObj(inode -> record(inode, 10, ""))
                .toArray(Record[]::new);
        write(10, records);
        assertThat(catalog.records().count()).isBetween((long) RocksRecords.MOST_COUNTED, 2L * many);
    }

    @Test
    void shouldForgetUnlessItKnowsSomethingLater() {
        write(10, record(5, 10, "ten"));
        forget(9, 5);
        assertThat(catalog.records().count()).isEqualTo(1);
        forget(10, 5);
        assertThat(catalog.records().count()).isZero();
    }

    @Test
    void shouldRefuseTheRecordsOfAnotherHive() {
        write(10, record(5, 10, "ten"));
        Records strange = Records.newBuilder()
                .setHive(ByteString.copyFromUtf8("another sixteen!"))
                .addForgotten(5)
                .build();
        assertThatThrownBy(() -> catalog.records().write(strange))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ESTALE));
        assertThat(catalog.records().count()).isEqualTo(1);
    }

    @Test
    void shouldSayThatTheDiskIsFullToWhoWritesAndOtherFailuresAsTheyAre() {
        assertThat(errnoOf(Status.SubCode.NoSpace, "No space left on device")).isEqualTo(Errno.ENOSPC);
        assertThat(errnoOf(Status.SubCode.None, "Disk quota exceeded")).isEqualTo(Errno.EDQUOT);
        assertThat(errnoOf(Status.SubCode.None, "Input/output error")).isEqualTo(Errno.EIO);
    }

    private static Errno errnoOf(Status.SubCode code, String told) {
        return UnopenedCatalog.errno(
                new RocksDBException(new Status(Status.Code.IOError, code, "While appending: " + told)));
    }

    @Test
    void shouldFailInOrderAfterItsEnd() {
        catalog.close();
        assertThatThrownBy(() -> catalog.put(replica(5, 0)))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
    }
}
