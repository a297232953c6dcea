package org.beefs.honeycomb.catalog;

import com.google.protobuf.ByteString;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.state.ReplicaChecksum;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * The scrub's state in the catalog's database. Keys: {@code 'c'}, inode, generation (big-endian) for a checksum, which
 * goes with its replica; {@code 'v'} for the round.
 */
@ProductionOnly
final class RocksScrubStore implements ScrubStore {
    private static final byte CHECKSUM = 'c';
    private static final byte[] ROUND = {'v'};

    private final RocksCatalog catalog;
    private final RocksDB database;
    private final WriteOptions unsynced;
    private final UnwrittenRecords unwritten;

    RocksScrubStore(RocksCatalog catalog, RocksDB database, WriteOptions unsynced, UnwrittenRecords unwritten)
            throws RocksDBException {
        this.catalog = catalog;
        this.database = database;
        this.unsynced = unsynced;
        this.unwritten = unwritten;
        unwritten.see(ReplicaKeys.highestInode(database, CHECKSUM));
    }

    @Override
    public @Nullable ByteString checksum(ReplicaId id, long version) {
        return catalog.with(() -> {
            byte[] value = database.get(key(id));
            ReplicaChecksum known = value == null ? null : ReplicaChecksum.parseFrom(value);
            return known != null && known.getVersion() == version ? known.getChecksum() : null;
        });
    }

    @Override
    public void putChecksum(ReplicaId id, long version, ByteString checksum) {
        ReplicaChecksum known = ReplicaChecksum.newBuilder()
                .setVersion(version)
                .setChecksum(checksum)
                .build();
        unwritten.see(id.inode());
        put(key(id), known.toByteArray());
    }

    @Override
    public ScrubRound round() {
        ScrubRound round = catalog.with(() -> {
            byte[] value = database.get(ROUND);
            return value == null ? null : ScrubRound.parseFrom(value);
        });
        return round == null ? ScrubRound.getDefaultInstance() : round;
    }

    @Override
    public void putRound(ScrubRound round) {
        put(ROUND, round.toByteArray());
    }

    private void put(byte[] key, byte[] value) {
        catalog.with(() -> {
            database.put(unsynced, key, value);
            return null;
        });
    }

    static byte[] key(ReplicaId id) {
        return ReplicaKeys.of(CHECKSUM, id);
    }
}
