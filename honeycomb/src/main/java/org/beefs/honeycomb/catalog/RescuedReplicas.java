package org.beefs.honeycomb.catalog;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.beefs.common.time.ProductionOnly;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of replicas, in a file of the catalog's folder while its database is closed and opened again. A file that
 * an earlier process has left says nothing. For one thread at a time.
 */
@ProductionOnly
final class RescuedReplicas {
    private static final Logger LOG = LoggerFactory.getLogger(RescuedReplicas.class);

    /** Records that are put back with one write. */
    private static final int BATCH = 1024;

    private final Path file;

    RescuedReplicas(Path folder) {
        file = folder.resolve("rescued-replicas");
    }

    /** Removes what an earlier process has left; what stays is in nobody's way. */
    void removeLeft() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.debug("{} cannot be removed", file, e);
        }
    }

    void takeFrom(RocksDB database) throws IOException, RocksDBException {
        try (FileChannel channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
            try (RocksIterator replicas = database.newIterator()) {
                for (replicas.seek(RocksCatalog.FIRST_REPLICA);
                        replicas.isValid() && replicas.key()[0] == RocksCatalog.REPLICA;
                        replicas.next()) {
                    ReplicaDescription.parseFrom(replicas.value()).writeDelimitedTo(out);
                }
                replicas.status();
            }
            out.flush();
            channel.force(true); // a disk that takes it in memory only may still refuse it
        }
    }

    void putInto(RocksDB database, WriteOptions unlogged) throws IOException, RocksDBException {
        database.deleteRange(unlogged, RocksCatalog.FIRST_REPLICA, RocksCatalog.AFTER_REPLICAS);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            while (putSome(database, unlogged, in)) {}
        }
        Files.delete(file);
    }

    private static boolean putSome(RocksDB database, WriteOptions unlogged, InputStream in)
            throws IOException, RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            ReplicaDescription replica = ReplicaDescription.parseDelimitedFrom(in);
            while (replica != null) {
                batch.put(RocksCatalog.key(ReplicaId.of(replica)), replica.toByteArray());
                replica = batch.count() < BATCH ? ReplicaDescription.parseDelimitedFrom(in) : null;
            }
            database.write(unlogged, batch);
            return batch.count() == BATCH;
        }
    }
}
