package org.beefs.honeycomb.catalog;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog's database. RocksDB gets over a full disk by itself; after any other failure to write, as for a used-up
 * quota or for want of descriptors, it refuses all writes for as long as it is open. After such a failure it is closed
 * and opened again. Thread-safe.
 */
@ProductionOnly
final class CatalogDatabase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogDatabase.class);

    /** Bytes of native memory for writes: a desktop's daemon stays small. */
    private static final long WRITE_BUFFER = 4 << 20;

    private static final long BLOCK_CACHE = 4 << 20;

    /** Bytes of the file in which RocksDB says what it does. */
    private static final long OWN_LOG = 1 << 20;

    /**
     * Format of RocksDB's tables. It is set here so that a newer library writes tables that the former one can read;
     * raising it makes a new format of the folder.
     */
    private static final int TABLE_FORMAT = 7;

    /** Nanoseconds between two attempts to open it again: each writes what is kept of replicas. */
    private static final long PAUSE = Duration.ofMinutes(1).toNanos();

    /** Nothing is ever there: removing it shows whether the database takes writes. */
    private static final byte[] PROBE = {'p'};

    private final Path folder;
    private final Clock clock;
    private final RescuedReplicas rescued;
    private final AtomicBoolean damaged = new AtomicBoolean();
    private final LRUCache cache = new LRUCache(BLOCK_CACHE);

    /** Tells with 10 bits for each record that neither a record nor a checksum of a new replica is there. */
    private final BloomFilter filter = new BloomFilter();

    private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
    private final WriteOptions unsynced = new WriteOptions();
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final Options options = new Options()
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

    /** Held shared by users of the database and exclusively by close, because using a closed one kills the process. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

    // Guarded by life.

    /** Null when it was closed to be opened again, and could not be yet. */
    private @Nullable RocksDB database;

    private boolean closed;

    /** When it was tried last to open it again; null for never. */
    private @Nullable Long triedAt;

    /** What is done with the database; null for what is not there. */
    interface Lookup<T> {
        @Nullable
        T in(RocksDB database) throws RocksDBException, InvalidProtocolBufferException;
    }

    /** What is done with the database, with a result. */
    interface Use<T> {
        T in(RocksDB database) throws RocksDBException, InvalidProtocolBufferException;
    }

    /** What is done with the database, without a result. */
    interface Change {
        void in(RocksDB database) throws RocksDBException, InvalidProtocolBufferException;
    }

    CatalogDatabase(Path folder, Clock clock) throws RocksDBException {
        this.folder = folder;
        this.clock = clock;
        this.rescued = new RescuedReplicas(folder);
        boolean opened = false;
        try {
            database = RocksDB.open(options, folder.toString());
            opened = true;
            rescued.removeLeft();
        } finally {
            if (!opened) {
                closeOptions();
            }
        }
    }

    /** For what goes past RocksDB's log: it survives an orderly close only. */
    WriteOptions unlogged() {
        return unlogged;
    }

    /** For what survives the kill of the process. */
    WriteOptions unsynced() {
        return unsynced;
    }

    /** For what survives a loss of power. */
    WriteOptions synced() {
        return synced;
    }

    /**
     * The highest inode of which something of the kind is there; 0 for none. Before all other use: what fails here says
     * whether the database is damaged.
     */
    long highestInode(byte kind) throws RocksDBException {
        life.readLock().lock();
        try {
            return ReplicaKeys.highestInode(Objects.requireNonNull(database), kind);
        } finally {
            life.readLock().unlock();
        }
    }

    /** Uses the database while it is open. */
    <T> T with(Use<T> use) {
        return Objects.requireNonNull(find(use::in));
    }

    /** As {@link #with}, without a result. */
    void run(Change change) {
        find(open -> {
            change.in(open);
            return null;
        });
    }

    /** As {@link #with}; null for what is not there. */
    <T> @Nullable T find(Lookup<T> lookup) {
        try {
            return attempt(lookup);
        } catch (RocksDBException e) {
            if (UnopenedCatalog.saysThatItIsDamaged(e)) {
                noteDamage(e);
            }
            if (!UnopenedCatalog.saysThatItIsFull(e)) {
                openAgain();
            }
            throw failed(UnopenedCatalog.errno(e), e);
        } catch (InvalidProtocolBufferException e) {
            throw failed(Errno.EIO, e);
        }
    }

    private <T> @Nullable T attempt(Lookup<T> lookup) throws RocksDBException, InvalidProtocolBufferException {
        life.readLock().lock();
        try {
            if (closed) {
                throw new PosixException(Errno.EIO, "the honeycomb has stopped");
            }
            if (database == null) {
                throw new RocksDBException("it could not be opened again yet");
            }
            return lookup.in(database);
        } finally {
            life.readLock().unlock();
        }
    }

    private static PosixException failed(Errno errno, Exception cause) {
        return new PosixException(errno, "the honeycomb's catalog failed: " + cause.getMessage());
    }

    /** Has the next start make it anew: a damaged block stays so, and whoever comes to it fails. */
    private void noteDamage(RocksDBException damage) {
        if (damaged.compareAndSet(false, true)) {
            LOG.error(
                    "the catalog in {} is damaged; restart this daemon, which makes it anew from the replicas: {}",
                    folder,
                    damage.getMessage());
        }
        try {
            UnopenedCatalog.noteDamage(folder);
        } catch (IOException e) {
            LOG.debug("that the catalog is damaged is noted the next time that it shows: {}", e.getMessage());
        }
    }

    /** Opens the database again if it refuses all writes, unless that was tried lately. */
    private void openAgain() {
        life.writeLock().lock();
        try {
            if (!closed && isRefusing() && isTime()) {
                triedAt = clock.bootNanos();
                reopen();
                LOG.info("the catalog in {} was opened again, after its disk had failed", folder);
            }
        } catch (RocksDBException | IOException e) {
            LOG.warn("the catalog in {} cannot be written, nor opened again now: {}", folder, e.getMessage());
        } finally {
            life.writeLock().unlock();
        }
    }

    private boolean isTime() {
        return triedAt == null || clock.bootNanos() - triedAt >= PAUSE;
    }

    private boolean isRefusing() {
        if (database == null) {
            return true;
        }
        try {
            database.delete(unlogged, PROBE);
            return false;
        } catch (RocksDBException refused) {
            return true;
        }
    }

    /**
     * What went past RocksDB's log is lost when the database is closed after it has failed, and a replica that is not
     * in the catalog passes for missing: so that is written down first, which shows as well whether the disk takes
     * anything. Until then the database can be read.
     */
    private void reopen() throws RocksDBException, IOException {
        if (database != null) {
            rescued.takeFrom(database);
            database.close();
            database = null;
        }
        RocksDB opened = RocksDB.open(options, folder.toString());
        boolean complete = false;
        try {
            rescued.putInto(opened, unlogged);
            complete = true;
        } finally {
            if (complete) {
                database = opened;
            } else {
                opened.close();
            }
        }
    }

    @Override
    public void close() {
        close(open -> {});
    }

    /** @param last is done before, if it can be */
    void close(Change last) {
        life.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                if (database != null) {
                    doLast(last, database);
                    database.close();
                }
                closeOptions();
            }
        } finally {
            life.writeLock().unlock();
        }
    }

    private static void doLast(Change last, RocksDB open) {
        try {
            last.in(open);
        } catch (RocksDBException | InvalidProtocolBufferException failing) {
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
}
