package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** A state whose files are damaged or missing is refused with advice, and never becomes an empty or older hive. */
class DamagedStateTest {
    @TempDir
    private Path temporary;

    private Path folder() {
        return temporary.resolve("state");
    }

    /** Of two starts, so that there are a table and a log, each with changes that were synced. */
    @BeforeEach
    void makeHive() throws IOException {
        for (int start = 1; start <= 2; start++) {
            try (RocksStateStore store = RocksStateStore.open(folder())) {
                TestHive hive = new TestHive(store);
                TestDesktop desktop = new TestDesktop(hive, "desk", start, start).registered();
                desktop.ok(Ask.mkdir(Namespace.ROOT, "made" + start, 0755));
                desktop.ok(Ask.sync());
                hive.queenBee().close();
            }
        }
    }

    private List<Path> files(String pattern) {
        try (Stream<Path> files = Files.list(folder().resolve("state"))) {
            List<Path> found = files.filter(
                            file -> file.getFileName().toString().matches(pattern))
                    .toList();
            assertThat(found).isNotEmpty();
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertRefused() {
        assertThatThrownBy(() -> {
                    try (RocksStateStore store = RocksStateStore.open(folder())) {
                        new TestHive(store);
                    }
                })
                .hasMessageContaining("rebuild it from the honeycombs")
                .hasMessageContaining("beefs recover");
    }

    @Test
    void shouldOpenWhatIsNotDamaged() throws IOException {
        assertOpens();
    }

    private void assertOpens() throws IOException {
        try (RocksStateStore store = RocksStateStore.open(folder())) {
            TestDesktop desktop = new TestDesktop(new TestHive(store), "desk", 3, 3).registered();
            desktop.ok(Ask.lookup(Namespace.ROOT, "made1"));
            desktop.ok(Ask.lookup(Namespace.ROOT, "made2"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-.*", ".*\\.sst", ".*\\.log", ".*"})
    void shouldRefuseAStateOfWhichFilesAreMissing(String pattern) throws IOException {
        for (Path file : files(pattern)) {
            Files.delete(file);
        }
        assertRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-.*", ".*\\.sst", ".*\\.log"})
    void shouldRefuseAStateOfWhichFilesAreCut(String pattern) throws IOException {
        for (Path file : files(pattern)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() / 3);
            }
        }
        assertRefused();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-.*", ".*\\.sst", ".*\\.log"})
    void shouldRefuseAStateOfWhichFilesHaveFlippedBits(String pattern) throws IOException {
        for (Path file : files(pattern)) {
            flip(file, Files.size(file) / 4);
        }
        assertRefused();
    }

    @Test
    void shouldRefuseAStateThatHasLostItsLogBeforeItHadATable() throws IOException {
        Path young = temporary.resolve("young");
        try (RocksStateStore store = RocksStateStore.open(young)) {
            new TestHive(store).queenBee().close();
        }
        try (Stream<Path> files = Files.list(young.resolve("state"))) {
            for (Path log :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                Files.delete(log);
            }
        }
        assertThatThrownBy(() -> RocksStateStore.open(young)).hasMessageContaining("beefs recover");
    }

    @Test
    void shouldBelieveNothingOfAMarkThatWasHalfWritten() throws IOException {
        flip(folder().resolve("SYNCED"), 3);
        assertOpens();
    }

    /** Whoever follows the advice for a lost state gives up what is there, and has to recover a hive that is sound. */
    @Test
    void shouldNotSendAnybodyToARecoveryWhoseDiskIsFull() {
        Status full = new Status(Status.Code.IOError, Status.SubCode.NoSpace, "While appending");
        assertThat(RocksStateStore.unopened(folder(), new RocksDBException(full)))
                .hasMessageContaining("its disk is full")
                .hasMessageContaining("free some space there")
                .hasMessageNotContaining("recover");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Disk quota exceeded", "Read-only file system", "Permission denied", "Too many open files"})
    void shouldNotSendAnybodyToARecoveryWhoseStateIsSound(String says) {
        Status refused = new Status(Status.Code.IOError, Status.SubCode.None, "While open a file: " + says);
        assertThat(RocksStateStore.unopened(folder(), new RocksDBException(says, refused)))
                .hasMessageContaining(says)
                .hasMessageContaining("put that right, and start again")
                .hasMessageNotContaining("recover");
    }

    /** RocksDB calls what it does not know corrupt; as it is with the tables of honeycombs' catalogs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Corrupt or unsupported format_version 8 for magic",
                "Unknown Footer version. Maybe this file was created with newer version of RocksDB?",
                "Compression type not supported in this version"
            })
    void shouldNotSendAnybodyToARecoveryWhoHasGoneBackToAnOlderVersion(String says) {
        Status newer = new Status(Status.Code.Corruption, Status.SubCode.None, says);
        assertThat(RocksStateStore.unopened(folder(), new RocksDBException(newer)))
                .hasMessageContaining(
                        "a newer version of BeeFS seems to have written it: start that one; if there was none, move");
    }

    private static void flip(Path file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, position);
            one.put(0, (byte) (one.get(0) ^ 0x10)).flip();
            channel.write(one, position);
        }
    }
}
