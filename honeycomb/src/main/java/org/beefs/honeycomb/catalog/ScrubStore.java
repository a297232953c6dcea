package org.beefs.honeycomb.catalog;

import com.google.protobuf.ByteString;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ScrubRound;
import org.jspecify.annotations.Nullable;

/**
 * Checksums of replicas, and how far the check of all of them is. They lie beside the index and not on the replica
 * files, so that learning one does not change a file that others are copying. Thread-safe. Methods fail with
 * {@link org.beefs.common.posix.PosixException} EIO when the catalog's disk fails or it is closed.
 */
public interface ScrubStore {
    /** The checksum of a replica's version; null when none is known of just this version. */
    @Nullable
    ByteString checksum(ReplicaId id, long version);

    /** Puts a checksum, which takes the place of an earlier version's. */
    void putChecksum(ReplicaId id, long version, ByteString checksum);

    ScrubRound round();

    void putRound(ScrubRound round);
}
