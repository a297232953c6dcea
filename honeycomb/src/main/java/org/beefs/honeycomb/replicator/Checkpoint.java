package org.beefs.honeycomb.replicator;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.store.Arrival;
import org.beefs.honeycomb.store.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * Copies a primary replica that somebody has open for writing. It was quiet when the copy began, and ctime has not
 * moved when that is whole: so it is what the replica was in that moment. Whether it becomes a version is for the
 * queen-bee to decide; until then it is kept.
 */
final class Checkpoint {
    private final Fetch fetch;
    private final Source source;
    private final Arrivals arrivals;
    private final DiskTasks disk;
    private final Progress progress;
    private final Admission admission;

    Checkpoint(Fetch fetch, Source source, Arrivals arrivals, DiskTasks disk, Progress progress, Admission admission) {
        this.fetch = fetch;
        this.source = source;
        this.arrivals = arrivals;
        this.disk = disk;
        this.progress = progress;
        this.admission = admission;
    }

    /** Fails with EAGAIN when the replica is being changed. */
    CompletableFuture<Fetched> run() {
        return source.steady(fetch)
                .thenCompose(before -> needsCopy(before)
                        ? copy(before)
                        : CompletableFuture.completedFuture(
                                Fetched.newBuilder().setCheckpoint(before).build()));
    }

    /** Not of what was never written, nor of what still is the newest version. */
    private boolean needsCopy(ReplicaStatus status) {
        boolean known = fetch.hasKnownMtime()
                && status.getMtime().equals(fetch.getKnownMtime())
                && status.getSize() == fetch.getSize();
        return status.getExists() && !known;
    }

    private CompletableFuture<Fetched> copy(ReplicaStatus before) {
        Fetch sized = fetch.toBuilder().setSize(before.getSize()).build();
        return disk.run(() -> begin(sized))
                .thenCompose(arrival -> arrival == null
                        ? failed("the version is here already")
                        : fill(arrival, before).whenComplete((_, _) -> arrivals.end(arrival)));
    }

    private @Nullable Arrival begin(Fetch sized) {
        return arrivals.begin(sized, sized.getSize() > FetchRun.SMALL);
    }

    private CompletableFuture<Fetched> fill(Arrival arrival, ReplicaStatus before) {
        return new ContentCopy(arrival, source, disk, progress, admission)
                .run(before.getCtime())
                .thenCompose(complete -> complete
                        ? source.statuses(List.of(fetch)).thenCompose(after -> keep(arrival, before, after))
                        : CompletableFuture.completedFuture(Fetched.getDefaultInstance()));
    }

    private CompletableFuture<Fetched> keep(Arrival arrival, ReplicaStatus before, List<ReplicaStatus> after) {
        if (after.size() != 1 || !after.getFirst().getCtime().equals(before.getCtime())) {
            return failed("it was changed while it was copied");
        }
        return disk.run(() -> {
            arrivals.keep(arrival);
            return Fetched.newBuilder().setComplete(true).setCheckpoint(before).build();
        });
    }

    private CompletableFuture<Fetched> failed(String why) {
        return CompletableFuture.failedFuture(new PosixException(
                Errno.EAGAIN, "inode %d: %s".formatted(fetch.getReplica().getInode(), why)));
    }
}
