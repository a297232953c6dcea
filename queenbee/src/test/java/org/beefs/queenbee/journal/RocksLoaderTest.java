package org.beefs.queenbee.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class RocksLoaderTest {
    private static final int RECORDS = 2048;
    private static final int LENGTH = 1 << 16;

    @TempDir
    private Path folder;

    @Test
    void shouldReadManyLargeRecordsInSmallChunks() throws Exception {
        RocksDB.loadLibrary();
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB database = RocksDB.open(options, folder.toString())) {
            write(database);
            RocksLoader loader = new RocksLoader(database);
            List<Long> loaded = new ArrayList<>();

            loader.load((key, value) -> {
                assertThat(value.getBytesUntilLimit()).isEqualTo(LENGTH);
                loaded.add(key.a());
            });

            assertThat(loaded).hasSize(RECORDS).isSorted().doesNotHaveDuplicates();
            assertThat(loader.largestChunk()).isLessThanOrEqualTo(4 << 20);
        }
    }

    private static void write(RocksDB database) throws RocksDBException {
        byte[] value = new byte[LENGTH];
        for (int i = 1; i <= RECORDS; i++) {
            database.put(StateKey.inode(i).encode(), value);
        }
    }
}
