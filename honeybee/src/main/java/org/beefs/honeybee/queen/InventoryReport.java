package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the queen-bee, after a registration, which replicas the honeycomb holds, page by page and an empty one at the end, and
 * has those removed that the queen-bee does not want. A report that breaks off is harmless: the next registration begins a new one.
 */
final class InventoryReport {
    /** Replicas in a page: about 300 KiB. */
    static final int PAGE = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(InventoryReport.class);

    private final LocalHoneycomb honeycomb;
    private final RpcConnection connection;
    private final long session;
    private final Duration deadline;

    InventoryReport(LocalHoneycomb honeycomb, RpcConnection connection, long session, Duration deadline) {
        this.honeycomb = honeycomb;
        this.connection = connection;
        this.session = session;
        this.deadline = deadline;
    }

    void start() {
        sendAfter(null).exceptionally(failure -> {
            LOG.warn(
                    "the honeycomb's replicas could not all be reported: {}",
                    Failures.toPosix(failure).getMessage());
            return null;
        });
    }

    private CompletableFuture<Void> sendAfter(@Nullable ReplicaName last) {
        return honeycomb
                .replicas(last, PAGE)
                .thenCompose(page -> send(page)
                        .thenCompose(done ->
                                page.isEmpty() ? CompletableFuture.completedFuture(null) : sendAfter(page.getLast())));
    }

    private CompletableFuture<Void> send(List<ReplicaName> page) {
        QueenRequest request = QueenRequest.newBuilder()
                .setSession(session)
                .setInventory(Inventory.newBuilder().addAllReplicas(page))
                .build();
        return connection
                .call(request, Payload.NONE, QueenReply.parser(), deadline)
                .thenCompose(reply -> remove(reply.body()));
    }

    private CompletableFuture<Void> remove(QueenReply reply) {
        if (reply.hasFailure() && reply.getFailure().getErrno() != 0) {
            throw PosixException.of(reply.getFailure());
        }
        int unwanted = reply.getDrop().getReplicasCount();
        if (unwanted == 0) {
            return CompletableFuture.completedFuture(null);
        }
        LOG.info("removing {} replicas that the hive no longer needs", unwanted);
        return honeycomb
                .serve(DesktopRequest.newBuilder().setDrop(reply.getDrop()).build())
                .thenApply(done -> null);
    }
}
