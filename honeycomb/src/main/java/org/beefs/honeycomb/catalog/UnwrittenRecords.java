package org.beefs.honeycomb.catalog;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Records of replicas that the catalog has and its database does not have yet: many records are written together, which
 * costs hardly more than one, and a file that is gone before that costs none. They may be lost with the process, as all
 * that the catalog says of replicas. Thread-safe.
 */
final class UnwrittenRecords {
    /**
     * Records that wait at most, of some hundred bytes each; the next one waits some milliseconds until they are
     * written.
     */
    static final int MOST = 1024;

    private final WriteOptions unlogged;

    // Guarded by this.
    private final Map<ReplicaId, ReplicaDescription> records = new HashMap<>();

    /** The database says nothing of inodes above it, as unsigned numbers. */
    private long highestWritten;

    UnwrittenRecords(WriteOptions unlogged) {
        this.unlogged = unlogged;
    }

    /**
     * Notes that the database has, or is about to have, a record of a replica of this inode: who removes the replica
     * has to look there.
     */
    synchronized void see(long inode) {
        highestWritten = later(highestWritten, inode);
    }

    synchronized @Nullable ReplicaDescription find(ReplicaId id) {
        return records.get(id);
    }

    /**
     * All records that wait, in order, of replicas after that one. They are not written first: that can fail, on a full
     * disk for as long as nobody tells what is there and may go.
     */
    synchronized NavigableMap<ReplicaId, ReplicaDescription> after(@Nullable ReplicaId last) {
        NavigableMap<ReplicaId, ReplicaDescription> sorted = new TreeMap<>(records);
        return last == null ? sorted : sorted.tailMap(last, false);
    }

    synchronized void put(RocksDB database, ReplicaDescription description) throws RocksDBException {
        if (records.size() >= MOST) {
            write(database);
        }
        records.put(ReplicaId.of(description), description);
    }

    /**
     * Forgets the record of a replica that is gone.
     *
     * @return whether the database may say something of it as well
     */
    synchronized boolean remove(ReplicaId id) {
        records.remove(id);
        return Long.compareUnsigned(id.inode(), highestWritten) <= 0;
    }

    synchronized void clear() {
        records.clear();
    }

    /** Writes all records to the database; if that fails it has none of them. */
    synchronized void write(RocksDB database) throws RocksDBException {
        if (records.isEmpty()) {
            return;
        }
        try (WriteBatch batch = new WriteBatch()) {
            for (Map.Entry<ReplicaId, ReplicaDescription> record : records.entrySet()) {
                batch.put(RocksCatalog.key(record.getKey()), record.getValue().toByteArray());
                see(record.getKey().inode());
            }
            database.write(unlogged, batch);
        }
        records.clear();
    }

    static long later(long a, long b) {
        return Long.compareUnsigned(a, b) > 0 ? a : b;
    }
}
