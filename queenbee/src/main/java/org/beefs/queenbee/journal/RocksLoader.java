package org.beefs.queenbee.journal;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Reads all records, one thread ahead of the one that takes them: a start is as long as the slower of the two. They
 * pass {@link #CHUNKS} chunks to and fro, none of which grows much beyond the largest value.
 */
@ProductionOnly
final class RocksLoader {
    private static final int CHUNKS = 8;
    private static final long READ_AHEAD_BYTES = 4L << 20;

    private final RocksDB database;
    private final BlockingQueue<Chunk> empty = new ArrayBlockingQueue<>(CHUNKS);

    /** Filled chunks in order; one without records is the last. */
    private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS + 1);

    /**
     * The chunk that ends the reading. It is there from the start: the other thread must hear of the end also where no
     * memory is left.
     */
    private final Chunk last = new Chunk();

    /** Why reading ended too early. */
    private volatile @Nullable Throwable failure;

    RocksLoader(RocksDB database) {
        this.database = database;
        for (int i = 0; i < CHUNKS; i++) {
            empty.add(new Chunk());
        }
    }

    /** Bytes of the largest array of values that the chunks have, once all are taken; for tests. */
    int largestChunk() {
        return empty.stream().mapToInt(chunk -> chunk.values.length).max().orElse(0);
    }

    void load(StateStore.Visitor visitor) throws IOException {
        Thread reader = Thread.ofPlatform().name("beefs-load").daemon().start(this::read);
        try {
            for (Chunk chunk = full.take(); !chunk.isEmpty(); chunk = full.take()) {
                chunk.visit(visitor);
                empty.put(chunk);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("loading was interrupted", e);
        } finally {
            end(reader);
        }
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    private void read() {
        try {
            try {
                readRecords();
            } catch (RocksDBException | RuntimeException | Error e) {
                failure = e;
            }
            full.put(last);
        } catch (InterruptedException e) {
            // The other thread has given up: nobody takes records any more.
            Thread.currentThread().interrupt();
        }
    }

    private void readRecords() throws RocksDBException, InterruptedException {
        try (ReadOptions reading =
                        new ReadOptions().setReadaheadSize(READ_AHEAD_BYTES).setFillCache(false);
                RocksIterator records = database.newIterator(reading)) {
            records.seekToFirst();
            while (records.isValid()) {
                Chunk chunk = empty.take();
                chunk.fill(records);
                full.put(chunk);
            }
            records.status();
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

    /** Records one after the other in two arrays, filled again and again, so that reading makes no garbage. */
    private static final class Chunk {
        private static final int RECORDS = 2048;
        private static final int USUAL_BYTES_OF_VALUE = 128;

        /** A chunk with so many bytes of values takes no more, so that large ones do not add up. */
        private static final int BYTES = 1 << 20;

        private final byte[] keys = new byte[RECORDS * StateKey.LENGTH];
        private final int[] ends = new int[RECORDS];
        private byte[] values = new byte[RECORDS * USUAL_BYTES_OF_VALUE];
        private int count;

        boolean isEmpty() {
            return count == 0;
        }

        void fill(RocksIterator records) {
            count = 0;
            int end = 0;
            while (count < RECORDS && end < BYTES && records.isValid()) {
                int length = records.key(keys, count * StateKey.LENGTH, StateKey.LENGTH);
                if (length != StateKey.LENGTH) {
                    throw new IllegalArgumentException("a key of " + length + " bytes");
                }
                end += value(records, end);
                ends[count++] = end;
                records.next();
            }
        }

        private int value(RocksIterator records, int start) {
            int length = records.value(values, start, values.length - start);
            if (length > values.length - start) {
                values = Arrays.copyOf(values, Math.max(start + length, 2 * values.length));
                records.value(values, start, length);
            }
            return length;
        }

        void visit(StateStore.Visitor visitor) throws IOException {
            ByteBuffer key = ByteBuffer.wrap(keys);
            int start = 0;
            for (int i = 0; i < count; i++) {
                visitor.record(StateKey.decode(key), CodedInputStream.newInstance(values, start, ends[i] - start));
                start = ends[i];
            }
        }
    }
}
