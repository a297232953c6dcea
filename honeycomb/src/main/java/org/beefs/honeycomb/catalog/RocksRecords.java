package org.beefs.honeycomb.catalog;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.RecordsState;
import org.beefs.honeycomb.records.RecordStore;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * The records in the catalog's database. Keys: {@code 'h'} for the state; {@code 'i'} and the inode (big-endian) for a
 * record.
 */
@ProductionOnly
final class RocksRecords implements RecordStore {
    private static final byte[] STATE = {'h'};
    private static final byte RECORD = 'i';

    /** So many are counted. To go through all of many, on a slow disk, takes longer than a recovery waits. */
    static final int MOST_COUNTED = 10_000;

    private final CatalogDatabase database;

    RocksRecords(CatalogDatabase database) {
        this.database = database;
    }

    /** Records may be missing: their state says so from now on. */
    void takeForIncomplete() {
        RecordsState incomplete = state().toBuilder().clearComplete().build();
        database.run(open -> open.put(database.synced(), STATE, incomplete.toByteArray()));
    }

    @Override
    public RecordsState state() {
        return database.with(open -> {
            byte[] known = open.get(STATE);
            return known == null ? RecordsState.getDefaultInstance() : RecordsState.parseFrom(known);
        });
    }

    /** Writes records, one batch after the other: each record is compared with the one that is there. */
    @Override
    public synchronized void write(Records records) {
        RecordsState before = state();
        if (!before.getHive().isEmpty() && !before.getHive().equals(records.getHive())) {
            throw new PosixException(Errno.ESTALE, "the honeycomb's catalog is of another hive");
        }
        RecordsState after = RecordsState.newBuilder()
                .setHive(records.getHive())
                .setComplete(Math.max(before.getComplete(), records.getComplete()))
                .build();
        database.run(open -> {
            try (WriteBatch batch = new WriteBatch()) {
                fill(open, batch, records);
                batch.put(STATE, after.toByteArray());
                open.write(database.synced(), batch);
            }
        });
    }

    private static void fill(RocksDB database, WriteBatch batch, Records records)
            throws RocksDBException, InvalidProtocolBufferException {
        for (Record record : records.getRecordsList()) {
            if (sequence(database, record.getInode()) <= record.getSequence()) {
                batch.put(key(record.getInode()), record.toByteArray());
            }
        }
        for (long inode : records.getForgottenList()) {
            if (sequence(database, inode) <= records.getAsOf()) {
                batch.delete(key(inode));
            }
        }
    }

    private static long sequence(RocksDB database, long inode) throws RocksDBException, InvalidProtocolBufferException {
        byte[] known = database.get(key(inode));
        return known == null ? 0 : Record.parseFrom(known).getSequence();
    }

    @Override
    public long count() {
        return database.with(open -> {
            long found = 0;
            try (RocksIterator records = open.newIterator()) {
                for (records.seek(key(0));
                        records.isValid() && records.key()[0] == RECORD && found < MOST_COUNTED;
                        records.next()) {
                    found++;
                }
                records.status();
            }
            return found < MOST_COUNTED ? found : Math.max(found, open.getLongProperty("rocksdb.estimate-num-keys"));
        });
    }

    @Override
    public List<Record> page(long from, int limit, int bytes) {
        return database.with(open -> {
            List<Record> found = new ArrayList<>();
            long taken = 0;
            try (RocksIterator records = open.newIterator()) {
                for (records.seek(key(from));
                        records.isValid() && records.key()[0] == RECORD && found.size() < limit && taken < bytes;
                        records.next()) {
                    byte[] value = records.value();
                    taken += value.length;
                    found.add(Record.parseFrom(value));
                }
                records.status();
            }
            return found;
        });
    }

    private static byte[] key(long inode) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(RECORD).putLong(inode).array();
    }
}
