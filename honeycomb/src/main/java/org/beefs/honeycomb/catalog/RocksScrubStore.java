package org.beefs.honeycomb.catalog;

import com.google.protobuf.ByteString;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.state.ReplicaChecksum;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The scrub's state in the catalog's database. Keys: {@code 'c'}, inode, generation (big-endian) for a checksum, which
 * goes with its replica; {@code 'v'} for the round.
 */
@ProductionOnly
final class RocksScrubStore implements ScrubStore {
    private static final byte CHECKSUM = 'c';
    private static final byte[] ROUND = {'v'};

    private final CatalogDatabase database;
    private final UnwrittenRecords unwritten;

    RocksScrubStore(CatalogDatabase database, UnwrittenRecords unwritten) throws RocksDBException {
        this.database = database;
        this.unwritten = unwritten;
        unwritten.see(database.highestInode(CHECKSUM));
    }

    @Override
    public @Nullable ByteString checksum(ReplicaId id, long version) {
        return database.find(open -> {
            byte[] value = open.get(key(id));
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
        return database.with(open -> {
            byte[] value = open.get(ROUND);
            return value == null ? ScrubRound.getDefaultInstance() : ScrubRound.parseFrom(value);
        });
    }

    @Override
    public void putRound(ScrubRound round) {
        put(ROUND, round.toByteArray());
    }

    private void put(byte[] key, byte[] value) {
        database.run(open -> open.put(database.unsynced(), key, value));
    }

    static byte[] key(ReplicaId id) {
        return ReplicaKeys.of(CHECKSUM, id);
    }
}
