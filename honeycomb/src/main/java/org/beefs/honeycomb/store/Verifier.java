package org.beefs.honeycomb.store;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBufAllocator;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.ContentDigest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares replicas with their checksums, by their files as they lie in the folder, whatever the process has open. Only
 * what carries a version can be compared: nobody changes that without taking the version off. Thread-safe.
 */
public final class Verifier {
    private static final Logger LOG = LoggerFactory.getLogger(Verifier.class);

    private final ReplicaFiles files;
    private final Catalog catalog;
    private final Space space;
    private final OpenReplicas open;
    private final Rot rot;
    private final Doubts doubts;
    private final ByteBufAllocator buffers;

    Verifier(
            ReplicaFiles files,
            Catalog catalog,
            Space space,
            OpenReplicas open,
            Rot rot,
            Doubts doubts,
            ByteBufAllocator buffers) {
        this.files = files;
        this.catalog = catalog;
        this.space = space;
        this.open = open;
        this.rot = rot;
        this.doubts = doubts;
        this.buffers = buffers;
    }

    /** Begins with a replica; null when there is nothing to compare, or it was found rotten already. */
    public @Nullable Verification begin(ReplicaId id) {
        ReplicaDescription expected = catalog.find(id);
        if (expected == null || expected.getVersion() == 0 || expected.getRotten()) {
            return null;
        }
        if (!isWhatItIs(expected)) {
            return null;
        }
        Replica replica = open.useUnchecked(id).replica();
        Verification begun = null;
        try {
            begun = begin(replica);
            return begun;
        } finally {
            if (begun == null) {
                open.leave(replica);
            }
        }
    }

    /**
     * Whether a replica's file can be read and says what it is; otherwise it cannot be used, so this is looked at
     * before.
     */
    private boolean isWhatItIs(ReplicaDescription expected) {
        ReplicaId id = ReplicaId.of(expected);
        ReplicaDescription rotten = expected.toBuilder().setRotten(true).build();
        boolean isIt;
        try (ReplicaFile file = files.open(id)) {
            isIt = file == null || isReadableAs(id, file);
        } catch (PosixException e) {
            if (e.errno() != Errno.EIO) {
                throw e;
            }
            files.checkPlace(); // otherwise it is the folder that cannot be read
            rot.write(rotten, null, "cannot be read: " + e.getMessage());
            return false;
        }
        if (!isIt) {
            try (ReplicaFile file = files.open(id)) {
                rot.write(rotten, file, "does not say any more what it is");
            }
        }
        return isIt;
    }

    private static boolean isReadableAs(ReplicaId id, ReplicaFile file) {
        boolean isIt = id.isOf(file.description());
        file.status();
        return isIt;
    }

    /**
     * The file is opened when the replica is in use already: then it is that replica's unless another takes its name
     * before the comparison ends, and that is seen there. The other way round it could be the file of the version
     * before.
     */
    private @Nullable Verification begin(Replica replica) {
        ReplicaFile file = files.open(replica.id());
        if (file == null) {
            markMissing(replica);
            return null;
        }
        Verification begun = null;
        try {
            ReplicaDescription says = replica.description();
            if (says.getVersion() != 0 && !says.getRotten() && !replica.isSuperseded()) {
                begun = new Verification(this, replica, says.getVersion(), file, new ContentDigest(file, buffers));
            }
            return begun;
        } finally {
            if (begun == null) {
                file.close();
            }
        }
    }

    /**
     * Marks a replica whose file is missing. Who has the file open goes on with it, but must not write it, because it
     * will be gone.
     */
    private void markMissing(Replica replica) {
        try (var _ = replica.holdExclusively()) {
            ReplicaDescription known = catalog.find(replica.id());
            if (known != null && known.getVersion() != 0 && !replica.isDropped() && !isThere(replica.id())) {
                rot.mark(replica, known, null, "is missing from the honeycomb's folder");
                giveRoomBack(replica);
                replica.supersede();
                open.forget(replica);
            }
        }
    }

    /** What takes its place is counted by itself. */
    private void giveRoomBack(Replica replica) {
        if (replica.exists() && !replica.isSuperseded()) {
            space.countReplicas(-replica.allocated());
        }
    }

    private boolean isThere(ReplicaId id) {
        try (ReplicaFile file = files.open(id)) {
            return file != null;
        }
    }

    /** Concludes from the content that was read, if the replica still carries the version. */
    Outcome conclude(Verification verification, ByteString checksum) {
        return conclude(verification, () -> {
            Replica replica = verification.replica();
            long version = verification.version();
            ByteString known = catalog.scrub().checksum(replica.id(), version);
            if (known == null) {
                catalog.scrub().putChecksum(replica.id(), version, checksum);
                doubts.settled(replica);
                return Outcome.LEARNED;
            } else if (known.equals(checksum)) {
                doubts.settled(replica);
                return Outcome.SOUND;
            }
            rot.mark(replica, replica.description(), verification.file(), "has another content than its version had");
            return Outcome.ROTTEN;
        });
    }

    /** Concludes from a failure to read the content. */
    Outcome unreadable(Verification verification, PosixException why) {
        return conclude(verification, () -> {
            Replica replica = verification.replica();
            rot.mark(replica, replica.description(), verification.file(), "cannot be read: " + why.getMessage());
            return Outcome.ROTTEN;
        });
    }

    private interface Conclusion {
        Outcome draw();
    }

    /** Concludes; a failure of the catalog says nothing of the replica. */
    private static Outcome conclude(Verification verification, Conclusion conclusion) {
        try (var _ = verification.replica().holdExclusively()) {
            return verification.isStillOfVersion() ? conclusion.draw() : Outcome.UNDECIDED;
        } catch (PosixException e) {
            LOG.warn(
                    "{} could not be checked, and will be later: {}",
                    verification.replica().id(),
                    e.getMessage());
            return Outcome.UNDECIDED;
        }
    }

    void end(Verification verification) {
        verification.file().close();
        open.leave(verification.replica());
    }

    /** The result of a comparison. */
    public enum Outcome {
        SOUND,
        /** There was no checksum of the version yet; now there is. */
        LEARNED,
        /** The replica is marked, and not served any more. */
        ROTTEN,
        /** The replica was changed or replaced meanwhile, or the catalog failed. */
        UNDECIDED
    }
}
