package org.beefs.honeycomb.catalog;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.records.RecordStore;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog in RocksDB. What it says of replicas survives an orderly stop only, as any other costs a scan anyway: so
 * that goes past RocksDB's log. All else that it keeps survives the kill of the process.
 *
 * <p>Keys: {@code 'm'} for the mark (boot and bytes used); {@code 'r'}, inode, generation (big-endian) for a replica;
 * those of {@link RocksRecords} and {@link RocksScrubStore}.
 */
@ProductionOnly
public final class RocksCatalog implements Catalog {
    private static final Logger LOG = LoggerFactory.getLogger(RocksCatalog.class);
    private static final byte[] MARK = {'m'};
    private static final byte REPLICA = 'r';
    private static final byte[] FIRST_REPLICA = {REPLICA};
    private static final byte[] AFTER_REPLICAS = {REPLICA + 1};

    /** Bytes of native memory for writes: a desktop's daemon stays small. */
    private static final long WRITE_BUFFER = 4 << 20;

    private static final long BLOCK_CACHE = 4 << 20;

    /** Bytes of the file in which RocksDB says what it does. */
    private static final long OWN_LOG = 1 << 20;

    /**
     * Format of RocksDB's tables. It is given so that a newer library writes what the one before it can read; raising
     * it makes a new format of the folder.
     */
    private static final int TABLE_FORMAT = 7;

    private final Options options;
    private final LRUCache cache;

    /** Tells with 10 bits for each record that neither a record nor a checksum of a new replica is there. */
    private final BloomFilter filter = new BloomFilter();

    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
    private final WriteOptions unsynced = new WriteOptions();
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final RocksDB database;
    private final RocksRecords records;
    private final RocksScrubStore scrub;
    private final UnwrittenRecords unwritten;

    private final AtomicLong highestInode = new AtomicLong();

    /** Held shared by users of the database and exclusively by close, because using a closed one kills the process. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

    private boolean closed;

    private RocksCatalog(Path folder) throws RocksDBException {
        cache = new LRUCache(BLOCK_CACHE);
        options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(WRITE_BUFFER)
                .setMaxWriteBufferNumber(2)
                .setMaxOpenFiles(64)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setStatsDumpPeriodSec(0)
                .setMaxLogFileSize(OWN_LOG)
                .setKeepLogFileNum(2)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setFormatVersion(TABLE_FORMAT)
                        .setBlockCache(cache)
                        .setFilterPolicy(filter));
        try {
            database = RocksDB.open(options, folder.toString());
        } catch (RocksDBException e) {
            closeOptions();
            throw e;
        }
        records = new RocksRecords(this, database, unsynced, synced);
        unwritten = new UnwrittenRecords(database, unlogged);
        try {
            long highest = ReplicaKeys.highestInode(database, REPLICA);
            see(highest);
            unwritten.see(highest);
            scrub = new RocksScrubStore(this, database, unsynced, unwritten);
        } catch (RocksDBException e) {
            database.close();
            closeOptions();
            throw e;
        }
    }

    @Override
    public void see(long inode) {
        highestInode.accumulateAndGet(inode, UnwrittenRecords::later);
    }

    /**
     * Opens the catalog in a folder of its own. One that is damaged is moved aside, and a new one begun: the replicas
     * and the queen-bee tell all that was in it, unless she has lost it too.
     *
     * @throws IOException with a sentence for people, when it cannot be opened and is not damaged: then it was not
     *     touched
     */
    public static RocksCatalog open(Path folder) throws IOException {
        RocksDB.loadLibrary(); // before any field of RocksDB's types is made
        try {
            return new RocksCatalog(folder);
        } catch (RocksDBException e) {
            if (!UnopenedCatalog.isDamaged(folder, e)) {
                throw UnopenedCatalog.failure(folder, e);
            }
            LOG.warn(
                    "the catalog in {} cannot be opened and is made anew; what is left of it is kept as {}: {}",
                    folder,
                    UnopenedCatalog.moveAside(folder),
                    e.getMessage());
        }
        try {
            return new RocksCatalog(folder);
        } catch (RocksDBException e) {
            throw UnopenedCatalog.failure(folder, e);
        }
    }

    @Override
    public @Nullable ReplicaDescription find(ReplicaId id) {
        if (!mayHave(id)) {
            return null;
        }
        return with(() -> {
            ReplicaDescription recent = unwritten.find(id);
            if (recent != null) {
                return recent;
            }
            byte[] value = database.get(key(id));
            return value == null ? null : ReplicaDescription.parseFrom(value);
        });
    }

    @Override
    public void put(ReplicaDescription description) {
        see(description.getInode()); // before it is there: find() looks no further
        with(() -> {
            unwritten.put(description);
            return null;
        });
    }

    @Override
    public void remove(ReplicaId id) {
        with(() -> {
            if (unwritten.remove(id)) {
                database.delete(unlogged, key(id));
                database.delete(unsynced, RocksScrubStore.key(id));
            }
            return null;
        });
    }

    @Override
    public List<ReplicaDescription> page(@Nullable ReplicaId after, int limit) {
        List<ReplicaDescription> page = with(() -> {
            NavigableMap<ReplicaId, ReplicaDescription> recent = unwritten.after(after); // first: it may be written now
            NavigableMap<ReplicaId, ReplicaDescription> found = readPage(after, limit);
            found.putAll(recent);
            return found.values().stream().limit(limit).toList();
        });
        return page == null ? List.of() : page;
    }

    private NavigableMap<ReplicaId, ReplicaDescription> readPage(@Nullable ReplicaId after, int limit)
            throws RocksDBException, InvalidProtocolBufferException {
        NavigableMap<ReplicaId, ReplicaDescription> found = new TreeMap<>();
        byte[] start = after == null ? FIRST_REPLICA : key(after);
        try (RocksIterator replicas = database.newIterator()) {
            for (replicas.seek(start); replicas.isValid() && found.size() < limit; replicas.next()) {
                if (replicas.key()[0] != REPLICA) {
                    break;
                }
                ReplicaDescription description = ReplicaDescription.parseFrom(replicas.value());
                if (!ReplicaId.of(description).equals(after)) {
                    found.put(ReplicaId.of(description), description);
                }
            }
            replicas.status();
        }
        return found;
    }

    @Override
    public long highestInode() {
        return highestInode.get();
    }

    @Override
    public void clear() {
        with(() -> {
            unwritten.clear();
            database.deleteRange(unlogged, FIRST_REPLICA, AFTER_REPLICAS);
            return null;
        });
    }

    @Override
    public RecordStore records() {
        return records;
    }

    @Override
    public ScrubStore scrub() {
        return scrub;
    }

    @Override
    public OptionalLong takeMark(long boot) {
        OptionalLong used = with(() -> {
            byte[] mark = database.get(MARK);
            database.delete(synced, MARK);
            if (mark == null || mark.length != 2 * Long.BYTES) {
                return OptionalLong.empty();
            }
            ByteBuffer fields = ByteBuffer.wrap(mark);
            return fields.getLong() == boot - 1 ? OptionalLong.of(fields.getLong()) : OptionalLong.empty();
        });
        return used == null ? OptionalLong.empty() : used;
    }

    @Override
    public void markComplete(long boot, long used) {
        with(() -> {
            byte[] mark = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(boot)
                    .putLong(used)
                    .array();
            unwritten.write();
            try (FlushOptions all = new FlushOptions()) {
                database.flush(all); // what the mark vouches for
            }
            database.put(synced, MARK, mark);
            return null;
        });
    }

    @Override
    public void close() {
        life.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                writeRest();
                database.close();
                closeOptions();
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    private void writeRest() {
        try {
            unwritten.write();
        } catch (RocksDBException failing) {
            LOG.debug("the catalog is closed without its last records, for which no mark vouches", failing);
        }
    }

    private void closeOptions() {
        options.close();
        cache.close();
        filter.close();
        unlogged.close();
        unsynced.close();
        synced.close();
    }

    interface Use<T> {
        @Nullable
        T run() throws RocksDBException, InvalidProtocolBufferException;
    }

    /** Uses the database while it is open. */
    <T> @Nullable T with(Use<T> use) {
        life.readLock().lock();
        try {
            if (closed) {
                throw new PosixException(Errno.EIO, "the honeycomb has stopped");
            }
            return use.run();
        } catch (RocksDBException e) {
            throw failed(UnopenedCatalog.saysThatItIsFull(e) ? Errno.ENOSPC : Errno.EIO, e);
        } catch (InvalidProtocolBufferException e) {
            throw failed(Errno.EIO, e);
        } finally {
            life.readLock().unlock();
        }
    }

    private static PosixException failed(Errno errno, Exception cause) {
        return new PosixException(errno, "the honeycomb's catalog failed: " + cause.getMessage());
    }

    static byte[] key(ReplicaId id) {
        return ReplicaKeys.of(REPLICA, id);
    }
}
