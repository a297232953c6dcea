package org.beefs.honeycomb.catalog;

import java.nio.ByteBuffer;
import org.beefs.honeycomb.state.ReplicaId;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Keys of what the catalog's database says of each replica: a byte for what it is, then inode and generation,
 * big-endian.
 */
final class ReplicaKeys {
    private ReplicaKeys() {}

    static byte[] of(byte kind, ReplicaId id) {
        return ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
                .put(kind)
                .putLong(id.inode())
                .putInt(id.generation())
                .array();
    }

    /** The highest inode of which something of the kind is there; 0 for none. */
    static long highestInode(RocksDB database, byte kind) throws RocksDBException {
        try (RocksIterator records = database.newIterator()) {
            records.seekForPrev(new byte[] {(byte) (kind + 1)});
            records.status(); // an iterator that cannot read looks as one at the end
            boolean found = records.isValid() && records.key()[0] == kind;
            return found ? ByteBuffer.wrap(records.key()).getLong(1) : 0;
        }
    }
}
