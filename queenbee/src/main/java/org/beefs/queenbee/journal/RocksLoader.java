package org.beefs.queenbee.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Reads all records, one thread ahead of the one that takes them: a start is as long as the slower of the two. At most {@link #CHUNKS}
 * chunks of records are held.
 */
@ProductionOnly
final class RocksLoader {
    private static final int CHUNKS = 16;
    private static final int CHUNK_RECORDS = 2048;
    private static final long READ_AHEAD_BYTES = 4L << 20;

    /** Records in order; the last chunk is empty, or says why reading failed. */
    private record Chunk(
            List<byte[]> keys,
            List<byte[]> values,
            @Nullable RocksDBException failure) {
        Chunk(@Nullable RocksDBException failure) {
            this(new ArrayList<>(CHUNK_RECORDS), new ArrayList<>(CHUNK_RECORDS), failure);
        }
    }

    private final RocksDB database;
    private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(CHUNKS);

    RocksLoader(RocksDB database) {
        this.database = database;
    }

    void load(StateStore.Visitor visitor) throws IOException {
        Thread reader = Thread.ofPlatform().name("beefs-load").daemon().start(this::read);
        try {
            for (Chunk chunk = chunks.take(); !chunk.keys.isEmpty() || chunk.failure != null; chunk = chunks.take()) {
                if (chunk.failure != null) {
                    throw new IOException(chunk.failure.getMessage(), chunk.failure);
                }
                for (int i = 0; i < chunk.keys.size(); i++) {
                    visitor.record(StateKey.decode(chunk.keys.get(i)), chunk.values.get(i));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("loading was interrupted", e);
        } finally {
            end(reader);
        }
    }

    private void read() {
        try (ReadOptions reading =
                        new ReadOptions().setReadaheadSize(READ_AHEAD_BYTES).setFillCache(false);
                RocksIterator records = database.newIterator(reading)) {
            Chunk chunk = new Chunk(null);
            for (records.seekToFirst(); records.isValid(); records.next()) {
                chunk.keys.add(records.key());
                chunk.values.add(records.value());
                if (chunk.keys.size() == CHUNK_RECORDS) {
                    chunks.put(chunk);
                    chunk = new Chunk(null);
                }
            }
            finish(records, chunk);
        } catch (InterruptedException e) {
            // The other thread has given up: nobody takes records any more.
            Thread.currentThread().interrupt();
        }
    }

    private void finish(RocksIterator records, Chunk last) throws InterruptedException {
        if (!last.keys.isEmpty()) {
            chunks.put(last);
        }
        try {
            records.status();
            chunks.put(new Chunk(null));
        } catch (RocksDBException e) {
            chunks.put(new Chunk(e));
        }
    }

    /** The iterator must be closed before the database is. */
    private static void end(Thread reader) {
        reader.interrupt();
        boolean interrupted = false;
        while (reader.isAlive()) {
            try {
                reader.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
