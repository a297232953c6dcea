package org.beefs.honeycomb.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Fetches;
import org.beefs.common.wire.Pause;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.catalog.Catalog;
import org.beefs.honeycomb.replicator.Replicator;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.ReplicaStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the queen-bee asks of a honeycomb. Thread-safe. Requests may come again, and do no harm then. When one
 * replica fails, the others of its request are dropped and sealed all the same, and the answer tells the first failure;
 * an examination or adoption ends there, because its answer is about all of them.
 */
public final class Maintenance {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

    private final ReplicaStore store;
    private final Catalog catalog;
    private final Replicator replicator;
    private final Executor executor;

    /**
     * For batches of records, each of which is of a later moment than the one that came before: out of order one could
     * bring back what the other has forgotten.
     */
    private final Executor inOrder;

    private final Consumer<Duration> pause;
    private final RepeatedFailures failures = new RepeatedFailures();

    /**
     * Works on an executor, because it waits for the disk.
     *
     * @param pause stops background work for so long; does not block
     */
    public Maintenance(
            ReplicaStore store, Catalog catalog, Replicator replicator, Executor executor, Consumer<Duration> pause) {
        this.pause = pause;
        this.replicator = replicator;
        this.store = store;
        this.catalog = catalog;
        this.executor = executor;
        this.inOrder = new InOrder(executor);
    }

    /** Handles a request. Never fails: the reply tells what went wrong; EAGAIN when too much is to be done already. */
    public CompletableFuture<DesktopReply> handle(DesktopRequest request) {
        return request.hasFetch()
                ? fetch(request.getFetch())
                : later(request.hasRecords() ? inOrder : executor, () -> answer(request))
                        .exceptionally(failure -> failed(Failures.toPosix(failure)));
    }

    /**
     * At most {@code limit} of the replicas that the honeycomb holds, in ascending order after {@code after}, or from
     * the beginning for null; none when there are no more. Those that come or go meanwhile may or may not be listed.
     */
    public CompletableFuture<List<ReplicaName>> inventory(@Nullable ReplicaName after, int limit) {
        return later(
                executor,
                () -> catalog.page(after == null ? null : ReplicaId.of(after), limit).stream()
                        .map(this::name)
                        .toList());
    }

    private static <T> CompletableFuture<T> later(Executor where, Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            where.execute(() -> {
                try {
                    result.complete(work.get());
                } catch (RuntimeException | Error e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new PosixException(Errno.EAGAIN, "too much work waits for the disk"));
        }
        return result;
    }

    private ReplicaName name(ReplicaDescription replica) {
        if (replica.getRotten()) {
            store.rot().remember(ReplicaId.of(replica));
        }
        return ReplicaId.toName(replica).setRotten(replica.getRotten()).build();
    }

    private CompletableFuture<DesktopReply> fetch(Fetches fetches) {
        return replicator
                .fetch(fetches)
                .thenApply(fetched ->
                        DesktopReply.newBuilder().addAllFetched(fetched).build())
                .exceptionally(failure -> failed(Failures.toPosix(failure)));
    }

    private DesktopReply answer(DesktopRequest request) {
        try {
            return switch (request.getOperationCase()) {
                case DROP -> drop(request.getDrop().getReplicasList());
                case EXAMINE -> examine(request.getExamine().getReplicasList());
                case SEAL -> seal(request.getSeal().getSealsList());
                case ADOPT -> adopt(request.getAdopt().getAdoptionsList());
                case RECORDS -> keep(request.getRecords());
                case PAUSE -> pause(request.getPause());
                case FETCH, RECALL, LOCKS_GRANTED, OPERATION_NOT_SET ->
                    failed(new PosixException(Errno.EOPNOTSUPP, "this honeycomb does not know what was asked"));
            };
        } catch (RuntimeException e) {
            if (Failures.isUnforeseen(e)) {
                LOG.error("a request of the queen-bee failed", e);
            }
            return failed(Failures.toPosix(e));
        }
    }

    private DesktopReply seal(List<Seal> seals) {
        DesktopReply.Builder reply = DesktopReply.newBuilder();
        PosixException failure = store.seal(seals, reply::addChanged);
        return failure == null ? reply.build() : failed(failure);
    }

    private DesktopReply pause(Pause asked) {
        pause.accept(Duration.ofMillis(asked.getMillis()));
        return DesktopReply.getDefaultInstance();
    }

    private DesktopReply keep(Records records) {
        try {
            catalog.records().write(records);
        } catch (PosixException e) {
            failures.keptRecords(e);
            return failed(e);
        }
        failures.keptRecords(null);
        return DesktopReply.getDefaultInstance();
    }

    private DesktopReply drop(List<ReplicaName> replicas) {
        PosixException failure = null;
        for (ReplicaName replica : replicas) {
            PosixException its = failureOf(() -> store.drop(replica));
            failure = failure == null ? its : failure;
        }
        if (failure == null) {
            failure = failureOf(() -> store.syncDrops(replicas)); // what is not owed any more must not come back
        }
        failures.removedReplicas(failure);
        return replyOf(failure);
    }

    private static @Nullable PosixException failureOf(Runnable work) {
        try {
            work.run();
            return null;
        } catch (PosixException e) {
            return e;
        }
    }

    private DesktopReply examine(List<ReplicaName> replicas) {
        DesktopReply.Builder reply = DesktopReply.newBuilder();
        replicas.forEach(replica -> reply.addStatuses(store.examine(replica)));
        return reply.build();
    }

    private DesktopReply adopt(List<Adoption> adoptions) {
        DesktopReply.Builder reply = DesktopReply.newBuilder();
        adoptions.forEach(adoption -> reply.addStatuses(store.adopt(adoption)));
        return reply.build();
    }

    private static DesktopReply replyOf(@Nullable PosixException failure) {
        return failure == null ? DesktopReply.getDefaultInstance() : failed(failure);
    }

    private static DesktopReply failed(PosixException failure) {
        return DesktopReply.newBuilder().setFailure(failure.toFailure()).build();
    }
}
