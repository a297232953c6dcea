package org.beefs.honeycomb.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.disk.FileStatus;
import org.beefs.honeycomb.disk.ReplicaFile;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.GroupSync;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes committed versions on replicas, in this order: the replica shows what was committed; its content is on disk;
 * it was not changed meanwhile; then the version, and that is on disk too before it is answered. So a replica carries a
 * version only if it holds just that, on disk; and once the queen-bee knows that a replica is sealed, and lets others
 * have the version and become the primary, no loss of power makes it look as if it had been written since.
 */
final class Sealer {
    /** Seals that share one sync: their files are open at the same time. */
    private static final int GROUP = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Sealer.class);

    private final ReplicaFiles files;
    private final GroupSync groupSync;
    private final Catalog catalog;
    private final OpenReplicas open;
    private final Existence existence;
    private final CheckQueue checks;
    private final UnwrittenSeals unwritten;
    private final Promotion promotion;
    private final AtomicBoolean underWay = new AtomicBoolean();

    Sealer(
            ReplicaFiles files,
            GroupSync groupSync,
            Catalog catalog,
            OpenReplicas open,
            Existence existence,
            CheckQueue checks,
            UnwrittenSeals unwritten) {
        this.files = files;
        this.groupSync = groupSync;
        this.catalog = catalog;
        this.open = open;
        this.existence = existence;
        this.checks = checks;
        this.unwritten = unwritten;
        this.promotion = new Promotion(files, catalog, open);
    }

    /**
     * A replica in use that shows what was committed, or carries that version already, and how often it had been
     * changed then.
     */
    private record Candidate(Seal seal, Replica replica, ReplicaFile file, long changes) {}

    /**
     * Seals, one request at a time, however often it is repeated: syncs of users do not wait behind those of seals.
     *
     * @param changed gets the inodes whose replicas show something else than what was committed, or seem to be open for
     *     writing: they are not sealed, and have to be looked at
     */
    @Nullable
    PosixException seal(List<Seal> seals, LongConsumer changed) {
        if (!underWay.compareAndSet(false, true)) {
            return new PosixException(Errno.EAGAIN, "other versions are still being sealed");
        }
        try {
            return sealAll(seals, changed);
        } finally {
            underWay.set(false);
        }
    }

    private @Nullable PosixException sealAll(List<Seal> seals, LongConsumer changed) {
        PosixException failure = null;
        for (int from = 0; from < seals.size(); from += GROUP) {
            PosixException another = sealGroup(seals.subList(from, Math.min(seals.size(), from + GROUP)), changed);
            failure = failure == null ? another : failure;
        }
        return failure;
    }

    private @Nullable PosixException sealGroup(List<Seal> seals, LongConsumer changed) {
        Failures failures = new Failures();
        List<Candidate> candidates = new ArrayList<>();
        try {
            seals.forEach(seal -> failures.collect(() -> consider(seal, candidates, changed)));
            List<Candidate> marked = new ArrayList<>();
            sync(candidates, failures, candidate -> {
                if (mark(candidate, changed)) {
                    marked.add(candidate);
                }
            });
            sync(
                    marked,
                    failures,
                    candidate -> unwritten.remove(candidate.replica().id()));
        } finally {
            candidates.forEach(candidate -> open.leave(candidate.replica()));
        }
        return failures.first;
    }

    /**
     * Brings replicas to disk as they are, and then does something with each that is there. Those that could not be
     * synced together are synced one by one, which tells whose content is lost.
     */
    private void sync(List<Candidate> candidates, Failures failures, Consumer<Candidate> then) {
        boolean synced = groupSync.run(candidates.size());
        for (Candidate candidate : candidates) {
            boolean done = failures.collect(() -> {
                if (!synced || candidate.replica().isDamaged()) {
                    candidate.replica().sync(files, candidate.file(), false);
                }
                then.accept(candidate);
            });
            if (!done) {
                unwritten.add(candidate.replica().id(), candidate.seal());
            }
        }
    }

    private void consider(Seal seal, List<Candidate> candidates, LongConsumer changed) {
        if (seal.getMoved()) {
            promotion.promote(seal);
            return;
        }
        Replica replica = open.use(ReplicaId.of(seal.getReplica())).replica();
        Candidate candidate = null;
        try {
            candidate = candidate(seal, replica, changed);
        } finally {
            if (candidate == null) {
                open.leave(replica);
            }
        }
        if (candidate != null) {
            candidates.add(candidate);
        }
    }

    /**
     * A candidate for the seal; null if the replica was changed or removed since the commit. Fails for one that should
     * be there and is not: it must not pass for sealed.
     */
    private @Nullable Candidate candidate(Seal seal, Replica replica, LongConsumer changed) {
        try (var _ = replica.holdExclusively()) { // no change is half done
            existence.checkWritten(replica);
            ReplicaFile file = replica.file();
            if (file != null && (carries(seal, replica) || isUnchanged(seal, replica, file))) {
                return new Candidate(seal, replica, file, replica.changes());
            }
            if (file != null) {
                tellUnsealed(seal, replica, file, changed);
            }
            LOG.debug("{} is gone or was changed since version {}", replica.id(), seal.getVersion());
            return null;
        }
    }

    /**
     * Tells of a replica that was not sealed and shows something else, or else seemed to be open for writing: maybe
     * only because a process that was being started had inherited a descriptor, so that nobody will commit anything.
     */
    private static void tellUnsealed(Seal seal, Replica replica, ReplicaFile file, LongConsumer changed) {
        if (isOf(seal, replica) && (isEarlier(seal, replica) || !shows(seal, file))) {
            changed.accept(seal.getReplica().getInode());
        }
    }

    /** Marks the replica; whether it carries the version now. */
    private boolean mark(Candidate candidate, LongConsumer changed) {
        Replica replica = candidate.replica();
        Seal seal = candidate.seal();
        try (var _ = replica.holdExclusively()) {
            if (replica.changes() == candidate.changes() && isUnchanged(seal, replica, candidate.file())) {
                ReplicaDescription sealed = replica.description().toBuilder()
                        .setVersion(seal.getVersion())
                        .build();
                replica.describe(candidate.file(), sealed);
            }
            boolean carries = carries(seal, replica);
            if (!carries) {
                tellUnsealed(seal, replica, candidate.file(), changed);
            }
            if (carries && catalog.ensure(replica.description())) {
                checks.add(replica.id());
            }
            return carries;
        }
    }

    /** Whether an earlier request has marked it, which may have failed or died before the mark was on disk. */
    private static boolean carries(Seal seal, Replica replica) {
        return isOf(seal, replica) && replica.description().getVersion() == seal.getVersion();
    }

    /** Whether it is an earlier version, or none, and shows what was committed. Needs the exclusive order. */
    static boolean isUnchanged(Seal seal, Replica replica, ReplicaFile file) {
        return isOf(seal, replica) && isEarlier(seal, replica) && shows(seal, file) && !replica.isWrittenElsewhere();
    }

    private static boolean isEarlier(Seal seal, Replica replica) {
        return Long.compareUnsigned(replica.description().getVersion(), seal.getVersion()) < 0;
    }

    private static boolean isOf(Seal seal, Replica replica) {
        long epoch = seal.getReplica().getEpoch();
        return !replica.isDropped()
                && !replica.isSuperseded()
                && (epoch == 0 || epoch == replica.description().getEpoch());
    }

    private static boolean shows(Seal seal, ReplicaFile file) {
        FileStatus status = file.status();
        return status.size() == seal.getSize() && status.mtime().equals(seal.getMtime());
    }

    /** The first of several failures, while the others of the batch go on. */
    private static final class Failures {
        private @Nullable PosixException first;

        /** Whether it has succeeded. */
        boolean collect(Runnable work) {
            try {
                work.run();
                return true;
            } catch (PosixException e) {
                LOG.error("sealing failed: {}", e.getMessage());
                if (first == null) {
                    first = e;
                }
                return false;
            }
        }
    }
}
