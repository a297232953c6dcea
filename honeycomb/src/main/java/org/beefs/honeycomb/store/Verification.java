package org.beefs.honeycomb.store;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.Verifier.Outcome;
import org.beefs.honeycomb.store.content.ContentDigest;
import org.jspecify.annotations.Nullable;

/**
 * A replica that is being compared with its checksum, a part at a time. Others use it meanwhile. For one thread at a
 * time.
 */
public final class Verification implements AutoCloseable {
    private final Verifier verifier;
    private final Replica replica;
    private final ReplicaFile file;
    private final ContentDigest digest;
    private final long version;

    Verification(Verifier verifier, Replica replica, long version, ReplicaFile file, ContentDigest digest) {
        this.verifier = verifier;
        this.replica = replica;
        this.file = file;
        this.digest = digest;
        this.version = version;
    }

    /** Reads about so many bytes on; null while there are more. */
    public @Nullable Outcome read(long bytes) {
        ByteString checksum;
        try { // nothing else is in here: only a failure of the replica's own file says that it cannot be read
            if (!digest.read(bytes)) {
                return null;
            }
            checksum = digest.finish();
        } catch (PosixException e) {
            return e.errno() == Errno.EIO ? verifier.unreadable(this, e) : Outcome.UNDECIDED;
        }
        return verifier.conclude(this, checksum);
    }

    /** Bytes that were read so far. */
    public long bytes() {
        return digest.bytes();
    }

    /** The replica that is compared. */
    public ReplicaId id() {
        return replica.id();
    }

    Replica replica() {
        return replica;
    }

    ReplicaFile file() {
        return file;
    }

    long version() {
        return version;
    }

    /**
     * Whether there is still something to compare. The replica's first change takes the version off, and none is ever
     * put on twice. Waits for nothing; stays true only with the replica's exclusive order.
     */
    public boolean isStillOfVersion() {
        ReplicaDescription says = replica.lastDescription();
        return says.getVersion() == version && !says.getRotten() && !replica.isDropped() && !replica.isSuperseded();
    }

    @Override
    public void close() {
        verifier.end(this);
    }
}
