package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A loss of power leaves of the log what was synced, and of the rest any sectors. The state is then as after some
 * batch, not before the last that was synced; what the simulator's disk does to the queen-bee rests on this.
 */
class TornLogTest {
    private static final int SECTOR = 512;
    private static final int BATCHES = 60;

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void shouldKeepAPrefixWithAllThatWasSynced(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path torn = temporary.resolve("torn");
        int synced = 0;
        try (RocksStateStore store = RocksStateStore.open(temporary.resolve("state"))) {
            long onDisk = 0;
            for (int batch = 1; batch <= BATCHES; batch++) {
                write(store, batch, random.nextInt(random.nextBoolean() ? 100 : 20_000));
                if (batch == 1 || random.nextInt(12) == 0) {
                    store.sync();
                    synced = batch;
                    onDisk = Files.size(log(temporary.resolve("state")));
                }
            }
            copy(temporary.resolve("state"), torn);
            tear(log(torn), onDisk, random);
        }

        Set<Long> left = batches(torn);

        assertThat(left).hasSizeBetween(synced, BATCHES);
        assertThat(left).last().isEqualTo((long) left.size());
    }

    /** Two records, so that half a batch would show. */
    private static void write(RocksStateStore store, long batch, int bytes) throws IOException {
        StateBatch changes = new StateBatch();
        changes.putEncoded(StateKey.inode(batch), () -> new byte[bytes]);
        changes.putEncoded(StateKey.session(batch), () -> new byte[bytes]);
        store.write(changes);
    }

    /** Those whose records are all there. */
    private static Set<Long> batches(Path folder) throws IOException {
        Set<Long> inodes = new TreeSet<>();
        Set<Long> sessions = new TreeSet<>();
        try (RocksStateStore store = RocksStateStore.open(folder)) {
            store.load((key, _) -> (key.kind() == StateKey.Kind.INODE ? inodes : sessions).add(key.a()));
        }
        assertThat(sessions).isEqualTo(inodes);
        return inodes;
    }

    private static void tear(Path log, long synced, SplittableRandom random) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            long size = channel.size();
            for (long from = synced; from < size; from = (from / SECTOR + 1) * SECTOR) {
                long length = Math.min(SECTOR - from % SECTOR, size - from);
                if (random.nextInt(8) == 0) {
                    channel.write(ByteBuffer.allocate((int) length), from);
                }
            }
            channel.truncate(random.nextLong(synced, size + 1));
        }
    }

    private static Path log(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("state"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }
}
