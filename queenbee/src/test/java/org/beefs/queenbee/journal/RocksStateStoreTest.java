package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.beefs.queenbee.state.HiveRecord;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                records.put(key, value);
                order.append(key.kind()).append(key.b()).append(' ');
            });
            assertThat(order).hasToString("INODE0 ENTRY4 ENTRY300 ");
            assertThat(InodeRecord.parseFrom(records.get(StateKey.inode(1L << 41))))
                    .isEqualTo(record);
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
    void shouldRefuseAnotherProgramsFolder() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("letter.txt"), "dear reader");

        assertThatThrownBy(() -> RocksStateStore.open(folder()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("is not empty");
        assertThat(folder()).isDirectoryNotContaining(path -> path.endsWith("state"));
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
