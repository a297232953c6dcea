package org.beefs.honeycomb.catalog;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.records.RecordStore;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
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
    static final byte REPLICA = 'r';
    static final byte[] FIRST_REPLICA = {REPLICA};
    static final byte[] AFTER_REPLICAS = {REPLICA + 1};

    private final CatalogDatabase database;
    private final RocksRecords records;
    private final RocksScrubStore scrub;
    private final UnwrittenRecords unwritten;
    private final AtomicLong highestInode = new AtomicLong();

    private RocksCatalog(CatalogDatabase database) throws RocksDBException {
        this.database = database;
        records = new RocksRecords(database);
        unwritten = new UnwrittenRecords(database.unlogged());
        long highest = database.highestInode(REPLICA);
        see(highest);
        unwritten.see(highest);
        scrub = new RocksScrubStore(database, unwritten);
    }

    @Override
    public void see(long inode) {
        highestInode.accumulateAndGet(inode, UnwrittenRecords::later);
    }

    /**
     * Opens the catalog in a folder of its own. One that is damaged, or was found to be while it was open, is moved
     * aside, and a new one begun: the replicas and the queen-bee tell all that was in it, unless she has lost it too.
     *
     * @throws IOException with a sentence for people, when it cannot be opened and is not damaged: then it was not
     *     touched
     */
    public static RocksCatalog open(Path folder) throws IOException {
        return open(folder, new SystemClock());
    }

    static RocksCatalog open(Path folder, Clock clock) throws IOException {
        RocksDB.loadLibrary(); // before any field of RocksDB's types is made
        if (UnopenedCatalog.isNoted(folder)) {
            moveAside(folder, "a part of it could not be read before this start");
        }
        try {
            return openOnce(folder, clock);
        } catch (RocksDBException e) {
            if (!UnopenedCatalog.isDamaged(folder, e)) {
                throw UnopenedCatalog.failure(folder, e);
            }
            moveAside(folder, e.getMessage());
        }
        try {
            return openOnce(folder, clock);
        } catch (RocksDBException e) {
            throw UnopenedCatalog.failure(folder, e);
        }
    }

    private static void moveAside(Path folder, @Nullable String why) throws IOException {
        LOG.warn(
                "the catalog in {} cannot be opened and is made anew; what is left of it is kept as {}: {}",
                folder,
                UnopenedCatalog.moveAside(folder),
                why);
    }

    private static RocksCatalog openOnce(Path folder, Clock clock) throws RocksDBException, IOException {
        CatalogDatabase database = new CatalogDatabase(folder, clock);
        boolean whole = false;
        try {
            RocksCatalog catalog = new RocksCatalog(database);
            catalog.lookForLostTables(folder);
            whole = true;
            return catalog;
        } finally {
            if (!whole) {
                database.close();
            }
        }
    }

    /**
     * RocksDB's repair moves tables that it cannot read there, and what it says of the rest sounds whole. Once that is
     * put right the folder gets another name: what the queen-bee tells from then on makes the records complete again.
     */
    private void lookForLostTables(Path folder) throws IOException {
        Path lost = folder.resolve("lost");
        if (!Files.isDirectory(lost) || !hasTables(lost)) {
            return;
        }
        Path noted = firstFree(folder, "lost.");
        LOG.warn("the catalog in {} was repaired in part only, and lacks what was in the tables in {}", folder, noted);
        try {
            records.takeForIncomplete();
            Files.move(lost, noted, StandardCopyOption.ATOMIC_MOVE);
        } catch (PosixException | IOException e) {
            throw new IOException(
                    "the catalog in %s lacks records, and that cannot be noted; put right what is wrong, and start again (%s)"
                            .formatted(folder, e.getMessage()),
                    e);
        }
    }

    private static Path firstFree(Path folder, String name) {
        int number = 1;
        while (Files.exists(folder.resolve(name + number))) {
            number++;
        }
        return folder.resolve(name + number);
    }

    private static boolean hasTables(Path folder) {
        try (DirectoryStream<Path> tables = Files.newDirectoryStream(folder, "*.sst")) {
            return tables.iterator().hasNext();
        } catch (IOException unreadable) {
            return true;
        }
    }

    @Override
    public @Nullable ReplicaDescription find(ReplicaId id) {
        if (!mayHave(id)) {
            return null;
        }
        return database.find(open -> {
            ReplicaDescription recent = unwritten.find(id);
            if (recent != null) {
                return recent;
            }
            byte[] value = open.get(key(id));
            return value == null ? null : ReplicaDescription.parseFrom(value);
        });
    }

    @Override
    public void put(ReplicaDescription description) {
        see(description.getInode()); // before it is there: find() looks no further
        database.run(open -> unwritten.put(open, description));
    }

    @Override
    public void remove(ReplicaId id) {
        database.run(open -> {
            if (unwritten.remove(id)) {
                open.delete(database.unlogged(), key(id));
                open.delete(database.unsynced(), RocksScrubStore.key(id));
            }
        });
    }

    @Override
    public List<ReplicaDescription> page(@Nullable ReplicaId after, int limit) {
        return database.with(open -> {
            NavigableMap<ReplicaId, ReplicaDescription> recent = unwritten.after(after); // first: it may be written now
            NavigableMap<ReplicaId, ReplicaDescription> found = readPage(open, after, limit);
            found.putAll(recent);
            return found.values().stream().limit(limit).toList();
        });
    }

    private static NavigableMap<ReplicaId, ReplicaDescription> readPage(
            RocksDB database, @Nullable ReplicaId after, int limit)
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
        database.run(open -> {
            unwritten.clear();
            open.deleteRange(database.unlogged(), FIRST_REPLICA, AFTER_REPLICAS);
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
        return database.with(open -> {
            byte[] mark = open.get(MARK);
            open.delete(database.synced(), MARK);
            if (mark == null || mark.length != 2 * Long.BYTES) {
                return OptionalLong.empty();
            }
            ByteBuffer fields = ByteBuffer.wrap(mark);
            return fields.getLong() == boot - 1 ? OptionalLong.of(fields.getLong()) : OptionalLong.empty();
        });
    }

    @Override
    public void markComplete(long boot, long used) {
        byte[] mark =
                ByteBuffer.allocate(2 * Long.BYTES).putLong(boot).putLong(used).array();
        database.run(open -> {
            unwritten.write(open);
            try (FlushOptions all = new FlushOptions()) {
                open.flush(all); // what the mark vouches for
            }
            open.put(database.synced(), MARK, mark);
        });
    }

    @Override
    public void close() {
        database.close(unwritten::write);
    }

    static byte[] key(ReplicaId id) {
        return ReplicaKeys.of(REPLICA, id);
    }
}
