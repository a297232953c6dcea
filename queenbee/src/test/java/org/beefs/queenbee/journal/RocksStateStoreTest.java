package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.beefs.queenbee.namespace.Xattrs;
import org.beefs.queenbee.state.HiveRecord;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.queenbee.state.XattrRecord;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

class RocksStateStoreTest {
    @TempDir
    private Path temporary;

    private Path folder() {
        return temporary.resolve("queenbee");
    }

    @Test
    void shouldGiveBackWhatWasWrittenInTheOrderOfKeys() throws IOException {
        InodeRecord record = InodeRecord.newBuilder().setMode(7).build();
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            StateBatch batch = new StateBatch();
            batch.put(StateKey.entry(1, 300), () -> record);
            batch.put(StateKey.entry(1, 4), () -> record);
            batch.put(StateKey.inode(1L << 41), () -> record);
            batch.put(StateKey.inode(9), () -> record);
            batch.delete(StateKey.inode(9));
            store.write(batch);
        }
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            TreeMap<StateKey, byte[]> records = new TreeMap<>();
            StringBuilder order = new StringBuilder();
            store.load((key, value) -> {
                records.put(key, value.readRawBytes(value.getBytesUntilLimit()));
                order.append(key.kind()).append(key.b()).append(' ');
            });
            assertThat(order).hasToString("INODE0 ENTRY4 ENTRY300 ");
            assertThat(InodeRecord.parseFrom(records.get(StateKey.inode(1L << 41))))
                    .isEqualTo(record);
        }
    }

    /** RocksDB's own log, which otherwise grows as long as the queen-bee runs. */
    @Test
    void shouldKeepRocksDbsOwnLogSmall() throws IOException {
        RocksStateStore.open(folder()).close();

        try (Stream<Path> files = Files.list(folder().resolve("state"))) {
            Path options = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .findAny()
                    .orElseThrow();
            assertThat(options)
                    .content()
                    .contains(
                            "max_log_file_size=1048576\n", "stats_dump_period_sec=0\n", "info_log_level=WARN_LEVEL\n");
        }
    }

    @Test
    void shouldGiveBackManyRecordsOfAllSizes() throws IOException {
        int many = 50_000;
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            StateBatch batch = new StateBatch();
            for (int i = 1; i <= many; i++) {
                XattrRecord record = xattr(i);
                batch.put(StateKey.inode(i), () -> record);
            }
            store.write(batch);
            List<Long> wrong = new ArrayList<>();
            int[] count = new int[1];
            store.load((key, value) -> {
                if (!XattrRecord.parseFrom(value).equals(xattr(key.a())) || key.a() != ++count[0]) {
                    wrong.add(key.a());
                }
            });
            assertThat(wrong).isEmpty();
            assertThat(count[0]).isEqualTo(many);
        }
    }

    /** Some are empty, and a few are as large as all attributes of an inode may be. */
    private static XattrRecord xattr(long number) {
        int length = number % 10_000 == 7 ? Xattrs.MAX_TOTAL : (int) (number % 100);
        byte[] value = new byte[length];
        Arrays.fill(value, (byte) number);
        return XattrRecord.newBuilder().setValue(ByteString.copyFrom(value)).build();
    }

    @Test
    void shouldReportAFailureOfWhoeverTakesRecordsAndStayUsable() throws IOException {
        makeHive();
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            assertThatThrownBy(() -> store.load((key, value) -> {
                        throw new IOException("no more");
                    }))
                    .hasMessage("no more");
            store.load((key, value) -> {});
        }
    }

    @Test
    void shouldRefuseAKeyThatIsNone() throws Exception {
        makeHive();
        try (Options options = new Options();
                RocksDB database =
                        RocksDB.open(options, folder().resolve("state").toString())) {
            database.put(new byte[] {1, 2, 3}, new byte[0]);
        }
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            assertThatThrownBy(() -> new TestHive(store)).hasMessageContaining("damaged (a key of 3 bytes)");
        }
    }

    @Test
    void shouldRefuseAFolderWhoseStateIsMissing() throws IOException {
        makeHive();
        deleteRecursively(folder().resolve("state"));

        assertThatThrownBy(() -> RocksStateStore.open(folder()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("its state is missing");
    }

    @Test
    void shouldRefuseAFolderWhoseStateIsDamaged() throws IOException {
        makeHive();
        Files.writeString(folder().resolve("state/CURRENT"), "nonsense");

        assertThatThrownBy(() -> RocksStateStore.open(folder()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("cannot be opened");
    }

    @Test
    void shouldRefuseAStateWithoutTheHivesRecord() throws IOException {
        makeHive();
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            StateBatch batch = new StateBatch();
            batch.delete(StateKey.HIVE);
            store.write(batch);
            assertThatThrownBy(() -> new TestHive(store))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void shouldLetNobodyElseLookIntoItsFolder() throws IOException {
        RocksStateStore.open(folder()).close();
        assertThat(permissions()).isEqualTo("rwx------");

        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        RocksStateStore.open(folder()).close();
        assertThat(permissions()).isEqualTo("rwx------");
    }

    @Test
    void shouldLetNobodyElseLookIntoWhatARecoveryMakes() throws IOException {
        RocksStateStore.openForRecovery(folder()).close();
        assertThat(permissions()).isEqualTo("rwx------");
    }

    private String permissions() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder()));
    }

    @Test
    void shouldRefuseAnotherProgramsFolder() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("letter.txt"), "dear reader");
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThatThrownBy(() -> RocksStateStore.open(folder()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("is not empty");
        assertThat(folder()).isDirectoryNotContaining(path -> path.endsWith("state"));
        assertThat(permissions()).isEqualTo("rwxr-xr-x");
    }

    @Test
    void shouldRefuseANewerFormatAndTouchNothing() throws IOException {
        makeHive();
        Files.writeString(folder().resolve("FORMAT"), "BeeFS queen-bee state, format 2\n");
        String before = listing();

        assertThatThrownBy(() -> RocksStateStore.open(folder()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("install the newer BeeFS");
        assertThat(listing()).isEqualTo(before);
    }

    /** An older program would take what is written from now on for its own. */
    @Test
    void shouldSayItsOwnFormatOfAnOlderState() throws IOException {
        makeHive();
        String present = Files.readString(folder().resolve("FORMAT"));
        Files.writeString(folder().resolve("FORMAT"), "BeeFS queen-bee state, format 0\n");

        RocksStateStore.open(folder()).close();

        assertThat(folder().resolve("FORMAT")).hasContent(present);
    }

    @Test
    void shouldRefuseNewerRecords() throws IOException {
        makeHive();
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            StateBatch batch = new StateBatch();
            batch.put(StateKey.HIVE, () -> HiveRecord.newBuilder().setFormat(99).build());
            store.write(batch);
            assertThatThrownBy(() -> new TestHive(store)).hasMessageContaining("install the newer BeeFS");
        }
    }

    @Test
    void shouldRefuseASecondQueenBeeOnOneFolder() throws IOException {
        RocksStateStore first = RocksStateStore.open(folder());
        try (first) {
            assertThatThrownBy(() -> RocksStateStore.open(folder()))
                    .isInstanceOf(StateException.class)
                    .hasMessageContaining("another queen-bee uses it");
        }
    }

    @Test
    void shouldBeginAgainWhenTheFirstStartDidNotGetFar() throws IOException {
        RocksStateStore.open(folder()).close();

        makeHive();
        assertThat(folder().resolve("FORMAT")).exists();
    }

    @Test
    void shouldBeginAnInterruptedRecoveryAnew() throws IOException {
        try (RocksStateStore store = RocksStateStore.openForRecovery(folder())) {
            StateBatch batch = new StateBatch();
            batch.put(StateKey.inode(77), InodeRecord::getDefaultInstance);
            store.write(batch);
        }
        assertThatThrownBy(() -> RocksStateStore.open(folder()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("a recovery has begun and not ended");
        try (RocksStateStore store = RocksStateStore.openForRecovery(folder())) {
            List<StateKey> found = new ArrayList<>();
            store.load((key, value) -> found.add(key));
            assertThat(found).isEmpty();
        }
    }

    @Test
    void shouldOpenWhatARecoveryHasMadeLikeAnyOther() throws IOException {
        try (RocksStateStore store = RocksStateStore.openForRecovery(folder())) {
            assertThat(RocksStateStore.isRecovered(folder())).isFalse();
            new TestHive(store).queenBee().close();
        }
        assertThat(RocksStateStore.isRecovered(folder())).isTrue();
        makeHive();
    }

    @Test
    void shouldNotRecoverOverAState() throws IOException {
        makeHive();
        String before = listing();
        assertThatThrownBy(() -> RocksStateStore.openForRecovery(folder()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("move it away");
        assertThat(listing()).isEqualTo(before);
        assertThat(RocksStateStore.isRecovered(folder())).isFalse();
    }

    private void makeHive() throws IOException {
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            new TestHive(store).queenBee().close();
        }
    }

    private String listing() throws IOException {
        try (Stream<Path> files = Files.walk(folder())) {
            return files.sorted()
                    .map(path -> path + " " + path.toFile().length() + " "
                            + path.toFile().lastModified())
                    .toList()
                    .toString();
        }
    }

    private static void deleteRecursively(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
