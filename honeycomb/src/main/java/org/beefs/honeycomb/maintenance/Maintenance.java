package org.beefs.honeycomb.maintenance;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.ReplicaName;
import org.beefs.honeycomb.store.ReplicaStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the queen-bee asks of a honeycomb. Thread-safe. Requests may come again, and do no harm then. One replica's
 * failure does not keep the others of its request from being done; the answer tells the first failure.
 */
public final class Maintenance {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

    private final ReplicaStore store;
    private final Executor executor;

    /** Works on an executor, because it waits for the disk. */
    public Maintenance(ReplicaStore store, Executor executor) {
        this.store = store;
        this.executor = executor;
    }

    /** Never fails: the reply tells what went wrong. EAGAIN when too much is to be done already. */
    public CompletableFuture<DesktopReply> handle(DesktopRequest request) {
        CompletableFuture<DesktopReply> reply = new CompletableFuture<>();
        try {
            executor.execute(() -> reply.complete(answer(request)));
        } catch (RejectedExecutionException e) {
            reply.complete(failed(new PosixException(Errno.EAGAIN, "too much work waits for the disk")));
        }
        return reply;
    }

    private DesktopReply answer(DesktopRequest request) {
        try {
            return switch (request.getOperationCase()) {
                case DROP -> drop(request.getDrop().getReplicasList());
                case EXAMINE -> examine(request.getExamine().getReplicasList());
                case SEAL -> replyOf(store.seal(request.getSeal().getSealsList()));
                case OPERATION_NOT_SET ->
                    failed(new PosixException(Errno.EOPNOTSUPP, "this honeycomb does not know what was asked"));
            };
        } catch (RuntimeException e) {
            if (Failures.isUnforeseen(e)) {
                LOG.error("a request of the queen-bee failed", e);
            }
            return failed(Failures.toPosix(e));
        }
    }

    private DesktopReply drop(List<ReplicaName> replicas) {
        PosixException failure = null;
        for (ReplicaName replica : replicas) {
            try {
                store.drop(replica);
            } catch (PosixException e) {
                LOG.error("removing a replica failed: {}", e.getMessage());
                failure = failure == null ? e : failure;
            }
        }
        return replyOf(failure);
    }

    private DesktopReply examine(List<ReplicaName> replicas) {
        DesktopReply.Builder reply = DesktopReply.newBuilder();
        replicas.forEach(replica -> reply.addStatuses(store.examine(replica)));
        return reply.build();
    }

    private static DesktopReply replyOf(@Nullable PosixException failure) {
        return failure == null ? DesktopReply.getDefaultInstance() : failed(failure);
    }

    private static DesktopReply failed(PosixException failure) {
        return DesktopReply.newBuilder().setFailure(failure.toFailure()).build();
    }
}
