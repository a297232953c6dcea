package org.beefs.honeycomb.replicator;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.content.Arrival;
import org.jspecify.annotations.Nullable;

/**
 * Copies a primary replica that somebody has open for writing. It was quiet when the copy began, and ctime has not
 * moved when that is whole: so it is what the replica was in that moment. Whether it becomes a version is for the
 * queen-bee to decide; until then it is kept.
 */
final class Checkpoint {
    private final Fetch fetch;
    private final Source source;
    private final CopyContext context;

    Checkpoint(Fetch fetch, Source source, CopyContext context) {
        this.fetch = fetch;
        this.source = source;
        this.context = context;
    }

    /** Fails with EAGAIN when the replica is being changed, or was since an attempt that had not the time for all. */
    CompletableFuture<Fetched> run() {
        return source.steady(fetch)
                .thenCompose(before -> needsCopy(before)
                        ? copy(before)
                        : CompletableFuture.completedFuture(
                                Fetched.newBuilder().setCheckpoint(before).build()));
    }

    /** Whether a copy is needed: not if the replica was never written, nor if it still is the newest version. */
    private boolean needsCopy(ReplicaStatus status) {
        boolean known = fetch.hasKnownMtime()
                && status.getMtime().equals(fetch.getKnownMtime())
                && status.getSize() == fetch.getSize();
        return status.getExists() && !known;
    }

    private CompletableFuture<Fetched> copy(ReplicaStatus before) {
        ReplicaId id = ReplicaId.of(fetch.getReplica());
        if (context.progress().isOutrun(id, source.honeycomb(), before.getCtime())) {
            return failed("it was changed while it was copied"); // begun anew at once, it would be read all the time
        }
        Fetch sized = fetch.toBuilder().setSize(before.getSize()).build();
        return context.disk()
                .run(() -> begin(sized))
                .thenCompose(arrival -> arrival == null
                        ? failed("the version is here already")
                        : fill(arrival, before)
                                .whenComplete((_, _) -> context.arrivals().end(arrival)));
    }

    private @Nullable Arrival begin(Fetch sized) {
        return context.arrivals().begin(sized, sized.getSize() > FetchRun.SMALL);
    }

    private CompletableFuture<Fetched> fill(Arrival arrival, ReplicaStatus before) {
        return new ContentCopy(arrival, source, context)
                .run(before.getCtime())
                .thenCompose(complete -> complete
                        ? source.statuses(List.of(fetch)).thenCompose(after -> keep(arrival, before, after))
                        : CompletableFuture.completedFuture(Fetched.getDefaultInstance()));
    }

    private CompletableFuture<Fetched> keep(Arrival arrival, ReplicaStatus before, List<ReplicaStatus> after) {
        if (after.size() != 1 || !after.getFirst().getCtime().equals(before.getCtime())) {
            return failed("it was changed while it was copied");
        }
        return context.disk().run(() -> {
            context.arrivals().keep(arrival);
            return Fetched.newBuilder().setComplete(true).setCheckpoint(before).build();
        });
    }

    private CompletableFuture<Fetched> failed(String why) {
        return CompletableFuture.failedFuture(new PosixException(
                Errno.EAGAIN, "inode %d: %s".formatted(fetch.getReplica().getInode(), why)));
    }
}
