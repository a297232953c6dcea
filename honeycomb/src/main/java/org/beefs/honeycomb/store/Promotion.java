package org.beefs.honeycomb.store;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.SetTimes;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.honeycomb.store.OpenReplicas.Use;

/**
 * Makes replicas primaries whose files have their primary here from now on. The content is there and on disk, because
 * the replica carries the version; only the description changes, and is on disk before anybody is told, so that no
 * write meets a replica that a loss of power would make a secondary again. Thread-safe.
 */
final class Promotion {
    private final ReplicaFiles files;
    private final Catalog catalog;
    private final OpenReplicas open;

    Promotion(ReplicaFiles files, Catalog catalog, OpenReplicas open) {
        this.files = files;
        this.catalog = catalog;
        this.open = open;
    }

    /**
     * Fails with ESTALE when the replica is not of the version, or rotten. Doing it again does no harm, also when it
     * was written since.
     */
    void promote(Seal seal) {
        try (Use use = open.use(ReplicaId.of(seal.getReplica()));
                var _ = use.replica().holdExclusively()) {
            promote(seal, use.replica());
        }
    }

    private void promote(Seal seal, Replica replica) {
        ReplicaFile file = replica.file();
        ReplicaDescription says = replica.description();
        long epoch = seal.getReplica().getEpoch();
        boolean done = says.getKind() == ReplicaKind.REPLICA_KIND_PRIMARY && says.getEpoch() == epoch;
        boolean fits = says.getVersion() == seal.getVersion() && Long.compareUnsigned(says.getEpoch(), epoch) < 0;
        boolean gone = replica.isDropped() || replica.isSuperseded();
        if (file == null || gone || says.getRotten() || !(done || fits)) {
            throw new PosixException(
                    Errno.ESTALE,
                    "%s is rotten or not version %d, so it cannot become the primary"
                            .formatted(replica.id(), seal.getVersion()));
        }
        if (!done) {
            // By size and mtime it is recognised as not written since.
            file.setTimes(SetTimes.newBuilder().setMtime(seal.getMtime()).build());
            ReplicaDescription primary = says.toBuilder()
                    .setKind(ReplicaKind.REPLICA_KIND_PRIMARY)
                    .setEpoch(epoch)
                    .build();
            replica.describe(file, primary);
        }
        catalog.ensure(replica.description());
        replica.sync(files, file, false);
    }
}
