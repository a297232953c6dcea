package org.beefs.queenbee.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.beefs.common.file.NewerTables;
import org.beefs.common.linux.Inodes;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The state in RocksDB. A batch goes to the write-ahead log with one write(2), so that it survives this process; the
 * log is synced by {@link #sync} only. After a power failure RocksDB replays the log up to the first damage: a prefix.
 */
@ProductionOnly
public final class RocksStateStore implements StateStore {
    private static final long MEMTABLE_BYTES = 16L << 20;

    /** Bounds what a start has to replay, to about half a second. */
    private static final long LOG_BYTES = 32L << 20;

    /** Of the file in which RocksDB says what it does. */
    private static final long OWN_LOG_BYTES = 1L << 20;

    /**
     * Format of RocksDB's tables. It is given so that a newer library writes what the one before it can read; raising
     * it makes a new format of the state.
     */
    private static final int TABLE_FORMAT = 7;

    /** Why a sound state may not open: the C library's words for EDQUOT, EROFS, EACCES, EPERM and EMFILE. */
    private static final List<String> NOT_OF_THE_STATE = List.of(
            "Disk quota exceeded",
            "Read-only file system",
            "Permission denied",
            "Operation not permitted",
            "Too many open files");

    private final StateFolder folder;
    private final Options options;
    private final WriteOptions unsynced;
    private final RocksDB database;
    private final SyncedMark synced;
    private volatile boolean marked;

    private RocksStateStore(StateFolder folder, Options options, RocksDB database, SyncedMark synced) {
        this.folder = folder;
        this.options = options;
        this.database = database;
        this.synced = synced;
        unsynced = new WriteOptions().setSync(false);
        marked = folder.hasMarker();
    }

    /** Opens a folder's state; an absent or empty folder becomes a new one. Fails with {@link StateException}. */
    public static RocksStateStore open(Path path) throws IOException {
        RocksDB.loadLibrary();
        StateFolder folder = new StateFolder(path);
        folder.check();
        return open(path, folder);
    }

    /** Whether a folder holds a state, or what a recovery has begun. */
    public static boolean isPresent(Path path) {
        return new StateFolder(path).isPresent();
    }

    /**
     * Whether a folder holds what a recovery has made, and that has ended, and was not {@link #forgetRecovery
     * forgotten}.
     */
    public static boolean isRecovered(Path path) {
        return new StateFolder(path).isRecovered();
    }

    /** Makes what a recovery has made a state like any other, over which no recovery begins. */
    public static void forgetRecovery(Path path) throws IOException {
        new StateFolder(path).forgetRecovery();
    }

    /**
     * Opens an empty folder to be filled by a recovery, or begins that anew where one was interrupted. With the first
     * {@link #sync} it is complete.
     */
    public static RocksStateStore openForRecovery(Path path) throws IOException {
        RocksDB.loadLibrary();
        StateFolder folder = new StateFolder(path);
        folder.beginRecovery();
        return open(path, folder);
    }

    /** Opens a folder for a state that is to be thrown away, without what is there. */
    public static RocksStateStore openInterim(Path path) throws IOException {
        RocksDB.loadLibrary();
        StateFolder folder = new StateFolder(path);
        folder.discard();
        folder.beginRecovery();
        return open(path, folder);
    }

    /** Removes a closed state that was to be thrown away. */
    public static void discardInterim(Path path) throws IOException {
        new StateFolder(path).discard();
    }

    /**
     * Begins a recovery, as {@link #openForRecovery} does, and answers the highest incarnation that was issued and
     * thrown away in it.
     */
    public static long beginRecovery(Path path) throws IOException {
        StateFolder folder = new StateFolder(path);
        folder.beginRecovery();
        return folder.interimIncarnation();
    }

    /** Says that numbers of an incarnation may be issued and thrown away before the recovery has ended. */
    public static void setInterimIncarnation(Path path, long incarnation) throws IOException {
        new StateFolder(path).setInterimIncarnation(incarnation);
    }

    private static RocksStateStore open(Path path, StateFolder folder) throws IOException {
        Options options = options(!folder.hasMarker());
        RocksDB database = open(path, folder, options);
        boolean whole = false;
        try {
            if (folder.hasMarker()) {
                checkComplete(path, database.getLatestSequenceNumber(), SyncedMark.read(folder.synced()));
                folder.raiseFormat();
            }
            RocksStateStore store = new RocksStateStore(folder, options, database, SyncedMark.open(folder.synced()));
            whole = true;
            return store;
        } finally {
            if (!whole) {
                database.close();
                options.close();
            }
        }
    }

    private static void checkComplete(Path path, long present, long synced) throws StateException {
        if (present == 0 || present < synced) {
            throw new StateException(
                    "the state in %s has lost changes that were on its disk: its log is damaged or missing; %s"
                            .formatted(path, StateException.RESTORE));
        }
    }

    private static RocksDB open(Path path, StateFolder folder, Options options) throws StateException {
        try {
            return RocksDB.open(options, folder.database().toString());
        } catch (RocksDBException e) {
            options.close();
            throw unopened(path, e);
        }
    }

    /** The failure of a start, with a sentence for people that says why. */
    static StateException unopened(Path path, RocksDBException cause) {
        return new StateException(
                "the state in %s cannot be opened (%s); %s".formatted(path, cause.getMessage(), advice(path, cause)),
                cause);
    }

    private static String advice(Path path, RocksDBException cause) {
        if (isLocked(cause)) {
            return "another queen-bee uses it";
        }
        if (NewerTables.areMeant(cause.getMessage())) {
            return "a newer version of BeeFS seems to have written it: start that one; if there was none, "
                    + StateException.RESTORE;
        }
        if (isOfItsSurroundings(cause)) {
            return "put that right, and start again";
        }
        if (!isOfFullDisk(cause)) {
            return "if it is damaged, " + StateException.RESTORE;
        }
        return Inodes.areScarceBeside(path)
                ? "its disk has no inodes left, and nothing of it is lost: remove some files there, and start again"
                : "its disk is full, and nothing of it is lost: free some space there, and start again";
    }

    /** RocksDB has no codes for these, but passes on what the C library calls them. */
    private static boolean isOfItsSurroundings(RocksDBException failure) {
        String told = Objects.requireNonNullElse(failure.getMessage(), "");
        return NOT_OF_THE_STATE.stream().anyMatch(told::contains);
    }

    private static boolean isOfFullDisk(RocksDBException failure) {
        Status status = failure.getStatus();
        return status != null && status.getSubCode() == Status.SubCode.NoSpace;
    }

    @Override
    public Owner owner() throws IOException {
        return folder.owner();
    }

    @Override
    public void load(Visitor visitor) throws IOException {
        new RocksLoader(database).load(visitor);
    }

    @Override
    public void write(StateBatch batch) throws IOException {
        try (WriteBatch writes = new WriteBatch()) {
            batch.forEach((key, value) -> add(writes, key, value));
            database.write(unsynced, writes);
        } catch (RocksDBException e) {
            throw new IOException("RocksDB cannot write: " + e.getMessage(), e);
        }
    }

    @Override
    public void sync() throws IOException {
        long written = database.getLatestSequenceNumber();
        try {
            database.flushWal(true);
        } catch (RocksDBException e) {
            throw new IOException("RocksDB cannot sync its log: " + e.getMessage(), e);
        }
        synced.write(written);
        if (!marked) {
            folder.mark();
            marked = true;
        }
    }

    @Override
    public void close() {
        database.close();
        unsynced.close();
        options.close();
        try {
            synced.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(WriteBatch writes, StateKey key, byte @Nullable [] value) {
        try {
            if (value == null) {
                writes.delete(key.encode());
            } else {
                writes.put(key.encode(), value);
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException("a batch in memory cannot be made", e);
        }
    }

    private static Options options(boolean mayBeNew) {
        return new Options()
                .setCreateIfMissing(mayBeNew)
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setWriteBufferSize(MEMTABLE_BYTES)
                .setMaxTotalWalSize(LOG_BYTES)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setMaxBackgroundJobs(2)
                .setMaxOpenFiles(256)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setStatsDumpPeriodSec(0)
                .setMaxLogFileSize(OWN_LOG_BYTES)
                .setKeepLogFileNum(2)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setFormatVersion(TABLE_FORMAT)
                        .setBlockSize(32 << 10));
    }

    /**
     * Whether another process has the database. Not every "lock" in a message will do: it may be a "block" whose
     * checksum is wrong.
     */
    private static boolean isLocked(RocksDBException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("lock hold") || message.contains("While lock file");
    }
}
