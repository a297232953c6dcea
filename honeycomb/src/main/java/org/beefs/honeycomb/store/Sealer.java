package org.beefs.honeycomb.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes committed versions on replicas, in this order: the replica shows what was committed; its content is on disk; it was
 * not changed meanwhile; then the version. So a replica carries a version only if it holds just that, on disk. The mark
 * itself reaches the disk with the file system's next own commit: one that is lost costs nothing but sealing again.
 */
final class Sealer {
    /**
     * Up to so many replicas are brought to disk one by one, which leaves alone what the desktop's owner writes; more with one
     * sync of the file system, which takes less time unless the owner writes much.
     */
    private static final int FEW = 4;

    /** Seals that share one sync: their files are open at the same time. */
    private static final int GROUP = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Sealer.class);

    private final ReplicaFiles files;
    private final Catalog catalog;
    private final OpenReplicas open;
    private final CheckQueue checks;
    private final Promotion promotion;
    private final AtomicBoolean underWay = new AtomicBoolean();

    Sealer(ReplicaFiles files, Catalog catalog, OpenReplicas open, CheckQueue checks) {
        this.files = files;
        this.catalog = catalog;
        this.open = open;
        this.checks = checks;
        this.promotion = new Promotion(files, catalog, open);
    }

    /** A replica in use that shows what was committed, and how often it had been changed then. */
    private record Candidate(Seal seal, Replica replica, ReplicaFile file, long changes) {}

    /** One request at a time, however often it is repeated: syncs of users do not wait behind those of seals. */
    @Nullable
    PosixException seal(List<Seal> seals) {
        if (!underWay.compareAndSet(false, true)) {
            return new PosixException(Errno.EAGAIN, "other versions are still being sealed");
        }
        try {
            return sealAll(seals);
        } finally {
            underWay.set(false);
        }
    }

    private @Nullable PosixException sealAll(List<Seal> seals) {
        PosixException failure = null;
        for (int from = 0; from < seals.size(); from += GROUP) {
            PosixException another = sealGroup(seals.subList(from, Math.min(seals.size(), from + GROUP)));
            failure = failure == null ? another : failure;
        }
        return failure;
    }

    private @Nullable PosixException sealGroup(List<Seal> seals) {
        Failures failures = new Failures();
        List<Candidate> candidates = new ArrayList<>();
        try {
            seals.forEach(seal -> failures.collect(() -> consider(seal, candidates)));
            boolean synced = candidates.size() > FEW && syncTogether();
            for (Candidate candidate : candidates) {
                failures.collect(() -> {
                    if (!synced || candidate.replica().isDamaged()) {
                        candidate.replica().sync(files, candidate.file(), false);
                    }
                    mark(candidate);
                });
            }
        } finally {
            candidates.forEach(candidate -> open.leave(candidate.replica()));
        }
        return failures.first;
    }

    private void consider(Seal seal, List<Candidate> candidates) {
        if (seal.getMoved()) {
            promotion.promote(seal);
            return;
        }
        Replica replica = open.use(ReplicaId.of(seal.getReplica()));
        Candidate candidate = null;
        try {
            candidate = candidate(seal, replica);
        } finally {
            if (candidate == null) {
                open.leave(replica);
            }
        }
        if (candidate != null) {
            candidates.add(candidate);
        }
    }

    private @Nullable Candidate candidate(Seal seal, Replica replica) {
        replica.exclusive().lock(); // no change is half done
        try {
            ReplicaFile file = replica.file();
            if (file != null && isOf(seal, replica) && shows(seal, file) && !replica.isWrittenElsewhere()) {
                return new Candidate(seal, replica, file, replica.changes());
            }
            LOG.debug("{} is gone or was changed since version {}", replica.id(), seal.getVersion());
            return null;
        } finally {
            replica.exclusive().unlock();
        }
    }

    /** Fails for none: what could not be synced together is synced one by one, which tells whose content is lost. */
    private boolean syncTogether() {
        try {
            files.syncAll();
            return true;
        } catch (PosixException e) {
            LOG.warn("syncing the file system failed; now syncing its replicas one by one: {}", e.getMessage());
            return false;
        }
    }

    private void mark(Candidate candidate) {
        Replica replica = candidate.replica();
        Seal seal = candidate.seal();
        replica.exclusive().lock();
        try {
            boolean same = replica.changes() == candidate.changes() && isOf(seal, replica);
            if (same && shows(seal, candidate.file()) && !replica.isWrittenElsewhere()) {
                ReplicaDescription sealed = replica.description().toBuilder()
                        .setVersion(seal.getVersion())
                        .build();
                replica.describe(candidate.file(), sealed);
                catalog.put(sealed);
                checks.add(replica.id());
            }
        } finally {
            replica.exclusive().unlock();
        }
    }

    private static boolean isOf(Seal seal, Replica replica) {
        ReplicaDescription description = replica.description();
        long epoch = seal.getReplica().getEpoch();
        return !replica.isDropped()
                && (epoch == 0 || epoch == description.getEpoch())
                && Long.compareUnsigned(description.getVersion(), seal.getVersion()) < 0;
    }

    private static boolean shows(Seal seal, ReplicaFile file) {
        FileStatus status = file.status();
        return status.size() == seal.getSize() && status.mtime().equals(seal.getMtime());
    }

    /** The first of several failures, while the others of the batch go on. */
    private static final class Failures {
        private @Nullable PosixException first;

        void collect(Runnable work) {
            try {
                work.run();
            } catch (PosixException e) {
                LOG.error("sealing failed: {}", e.getMessage());
                if (first == null) {
                    first = e;
                }
            }
        }
    }
}
