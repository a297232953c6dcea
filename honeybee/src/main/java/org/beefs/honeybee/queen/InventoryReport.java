package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the queen-bee, once in each session and on each connection, which replicas the honeycomb holds, page by page and an empty
 * one at the end, and has those removed that the queen-bee does not want. A report that breaks off begins again. Thread-safe.
 */
final class InventoryReport {
    /** Replicas in a page: about 300 KiB. */
    static final int PAGE = 10_000;

    /** Before a report that has failed is begun again. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(InventoryReport.class);

    private final LocalHoneycomb honeycomb;
    private final RpcConnection connection;
    private final Timers timers;
    private final Duration deadline;

    /** In which it was begun last; 0 before the first. */
    private long session;

    InventoryReport(LocalHoneycomb honeycomb, RpcConnection connection, Timers timers, Duration deadline) {
        this.honeycomb = honeycomb;
        this.connection = connection;
        this.timers = timers;
        this.deadline = deadline;
    }

    /** The desktop has registered, and this is its session. Nothing is reported twice in one. */
    void registered(long present) {
        synchronized (this) {
            if (session == present || !connection.isOpen()) {
                return;
            }
            session = present;
        }
        report(present);
    }

    private void report(long in) {
        sendAfter(null, in).exceptionally(failure -> {
            if (isWanted(in)) {
                LOG.warn(
                        "the honeycomb's replicas could not all be reported, which is tried again in {} s: {}",
                        PAUSE.toSeconds(),
                        Failures.toPosix(failure).getMessage());
                timers.schedule(PAUSE, () -> reportAgain(in));
            }
            return null;
        });
    }

    private void reportAgain(long in) {
        if (isWanted(in)) {
            report(in);
        }
    }

    private synchronized boolean isWanted(long in) {
        return session == in && connection.isOpen();
    }

    private CompletableFuture<Void> sendAfter(@Nullable ReplicaName last, long in) {
        return honeycomb
                .replicas(last, PAGE)
                .thenCompose(page -> send(page, in)
                        .thenCompose(done -> page.isEmpty()
                                ? CompletableFuture.completedFuture(null)
                                : sendAfter(page.getLast(), in)));
    }

    private CompletableFuture<Void> send(List<ReplicaName> page, long in) {
        QueenRequest request = QueenRequest.newBuilder()
                .setSession(in)
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
        if (reply.getUnknownSession()) {
            throw new PosixException(Errno.ESTALE, "the session has ended");
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
