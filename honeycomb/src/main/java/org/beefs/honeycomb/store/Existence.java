package org.beefs.honeycomb.store;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.disk.Untouched;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.jspecify.annotations.Nullable;

/** Knows which replicas there are, which may be made, and which are gone. Thread-safe. */
final class Existence {
    private final ReplicaFiles files;
    private final Catalog catalog;
    private final Space space;
    private final OpenReplicas open;
    private final Unfinished unfinished;
    private final RecentDrops drops = new RecentDrops();

    Existence(ReplicaFiles files, Catalog catalog, Space space, OpenReplicas open, Unfinished unfinished) {
        this.files = files;
        this.catalog = catalog;
        this.space = space;
        this.open = open;
        this.unfinished = unfinished;
    }

    /**
     * The replica's file; null when there is none and need not be one. Needs the order, shared or exclusive, for the
     * answer to stay true.
     *
     * @throws PosixException ESTALE for another epoch, and for what was removed; EIO when there must be a file and is
     *     none, and for what is rotten
     */
    @Nullable
    ReplicaFile find(Replica replica, ReplicaTarget target) {
        check(replica, target, replica.description());
        ReplicaFile file = replica.file();
        if (file == null) {
            if (drops.contains(replica.id(), target.getEpoch())) {
                throw Replica.gone(replica.id());
            }
            if (target.getVersion() != 0 || catalog.find(replica.id()) != null) {
                throw missingFailure(replica.id());
            }
        }
        return file;
    }

    private static PosixException missingFailure(ReplicaId id) {
        return new PosixException(Errno.EIO, id + " is missing from the honeycomb's folder");
    }

    /**
     * Fails with EIO when a replica that was written has no file, though nobody removed it, and when its content is not
     * known before a later start. Needs the order.
     */
    void checkWritten(Replica replica) {
        Replica.checkUsable(replica.id(), replica.description());
        if (!replica.exists() && !replica.isDropped() && !replica.isSuperseded() && !wasDropped(replica.id())) {
            throw missingFailure(replica.id());
        }
    }

    /**
     * Whether a replica that says this of itself is what the request wants, as {@link #find} does: if it has a file,
     * only that is left to be asked for. Needs the order, and waits for nothing.
     */
    static void check(Replica replica, ReplicaTarget target, ReplicaDescription says) {
        replica.checkEpoch(target, says);
        replica.checkContent(target, says);
        Replica.checkUsable(replica.id(), says);
        if (says.getRotten()) {
            throw new PosixException(
                    Errno.EIO,
                    replica.id()
                            + " is not what it was when it was written; it waits to be replaced from another desktop");
        }
    }

    /**
     * The replica's file for a change, with the order held. Fails with ESTALE also when another file has got its name
     * meanwhile.
     */
    ReplicaFile require(Replica replica, ReplicaTarget target) {
        ReplicaFile file = find(replica, target);
        if (file == null || replica.isSuperseded()) {
            throw Replica.gone(replica.id());
        }
        return file;
    }

    /**
     * Makes the replica before its first change. The caller does not hold the order.
     *
     * @return whether it was made now
     */
    boolean ensure(Replica replica, ReplicaTarget target) {
        if (replica.exists()) {
            return false;
        }
        try (var _ = replica.holdExclusively()) {
            boolean missing = find(replica, target) == null;
            if (missing) {
                create(replica, target);
            }
            return missing;
        }
    }

    /**
     * Content is about to change, so the replica is no version any more. Needs the order, shared or exclusive. Fails,
     * and the change is not to be made, also when the catalog cannot be told.
     *
     * @param empties whether nothing will be left of it
     */
    void beginChange(Replica replica, ReplicaFile file, boolean empties) {
        replica.beginChange(files, file, empties, catalog::put);
    }

    /** A secondary is going to be made here, also of a file that had a replica here before. */
    void expect(ReplicaId id) {
        drops.remove(id);
    }

    /** Fails with ESTALE if the replica was removed after it was expected. */
    void checkExpected(Replica replica) {
        if (wasDropped(replica.id())) {
            throw Replica.gone(replica.id());
        }
    }

    boolean wasDropped(ReplicaId id) {
        return drops.contains(id);
    }

    private void create(Replica replica, ReplicaTarget target) {
        ReplicaDescription description = ReplicaDescription.newBuilder()
                .setInode(target.getInode())
                .setGeneration(target.getGeneration())
                .setEpoch(target.getEpoch())
                .setKind(ReplicaKind.REPLICA_KIND_PRIMARY)
                .build();
        space.checkNewFile();
        ReplicaFile file = files.create(description);
        boolean recorded = false;
        try {
            Untouched.mark(file);
            FileStatus status = file.status();
            catalog.put(description);
            replica.begin(file, description, status);
            space.countReplicas(replica.allocated());
            drops.remove(replica.id());
            recorded = true;
        } finally {
            if (!recorded) {
                file.close();
                files.delete(replica.id());
            }
        }
    }

    /**
     * Removes a replica of this epoch or an earlier one; 0 is any. A replica of an earlier epoch that was changed while
     * it was the primary stays: nobody else has these changes.
     *
     * @return false when another file has got the replica's name: then that one has to be removed
     */
    boolean drop(Replica replica, long epoch) {
        try (var _ = replica.holdExclusively()) {
            if (replica.isSuperseded()) {
                return false;
            }
            ReplicaDescription says = known(replica, epoch);
            if (says == null || !(isNewer(says, epoch) || isChangedFormerPrimary(says, epoch))) {
                remove(replica, epoch);
            }
            return true;
        }
    }

    /**
     * What a replica says of itself, or the catalog of one whose file cannot be opened; null when there is none. Fails
     * with EIO when nobody knows whether it may be removed: the catalog may not have heard that a former primary was
     * changed.
     */
    private @Nullable ReplicaDescription known(Replica replica, long epoch) {
        if (replica.isLookedUp()) {
            return replica.exists() ? replica.description() : null;
        }
        files.checkPlace();
        ReplicaDescription known = catalog.find(replica.id());
        if (epoch != 0 && (known == null || (isFormerPrimary(known, epoch) && known.getVersion() != 0))) {
            throw new PosixException(
                    Errno.EIO,
                    replica.id() + " cannot be opened, and may have changes that nobody else has; it is kept");
        }
        return known;
    }

    private static boolean isNewer(ReplicaDescription says, long epoch) {
        return epoch != 0 && Long.compareUnsigned(says.getEpoch(), epoch) > 0;
    }

    private static boolean isChangedFormerPrimary(ReplicaDescription says, long epoch) {
        return isFormerPrimary(says, epoch) && says.getVersion() == 0;
    }

    private static boolean isFormerPrimary(ReplicaDescription says, long epoch) {
        return says.getKind() == ReplicaKind.REPLICA_KIND_PRIMARY && Long.compareUnsigned(says.getEpoch(), epoch) < 0;
    }

    private void remove(Replica replica, long epoch) {
        drops.add(replica.id(), epoch);
        unfinished.discard(replica.id());
        files.delete(replica.id());
        try {
            catalog.remove(replica.id());
        } finally { // on a full disk the catalog can often be told only when the file's space is free
            if (replica.drop()) {
                space.countReplicas(-replica.allocated());
            }
            open.forget(replica);
        }
    }
}
