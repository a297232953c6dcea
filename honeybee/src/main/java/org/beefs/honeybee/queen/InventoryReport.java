package org.beefs.honeybee.queen;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalHoneycomb;
import org.beefs.common.rpc.ProtocolBounds;
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
 * Tells the queen-bee, once in each session and on each connection, which replicas the honeycomb holds: digests of all,
 * then page by page those in ranges that are not as they should be, and an empty page at the end. Has those removed
 * that the queen-bee does not want. A report that breaks off begins again. Thread-safe.
 */
final class InventoryReport {
    /** Replicas of which one digest is told: of a million about 10 KB altogether. */
    static final int RANGE = 4096;

    /** Replicas that are told at a time: some 70 KB, which take three seconds at 250 kbit/s. */
    static final int PAGE = 2048;

    /** How long to wait before a report that has failed is begun again. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /**
     * How long the queen-bee may take to compare digests: she goes through all inodes of the hive for that, a slice in
     * each pass beside all else, and begins from the start for a request that is made again.
     */
    static final Duration COMPARISON = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(InventoryReport.class);

    private final LocalHoneycomb honeycomb;
    private final RpcConnection connection;
    private final Timers timers;
    private final Duration deadline;

    /** The session in which a report was begun last; 0 before the first. */
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
        sendAll(in).exceptionally(failure -> {
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

    private CompletableFuture<Void> sendAll(long in) {
        InventoryRanges ranges = new InventoryRanges(RANGE);
        return takeUp(null, ranges)
                .thenCompose(done -> compare(ranges, in))
                .thenCompose(spans -> sendSpans(spans.iterator(), in))
                .thenCompose(done -> send(List.of(), in));
    }

    private CompletableFuture<Void> takeUp(@Nullable ReplicaName after, InventoryRanges ranges) {
        return honeycomb.inventory(after, ProtocolBounds.INVENTORY_REPLICAS).thenCompose(page -> {
            page.forEach(ranges::add);
            return page.isEmpty() ? CompletableFuture.completedFuture(null) : takeUp(page.getLast(), ranges);
        });
    }

    private CompletableFuture<List<InventoryRanges.Span>> compare(InventoryRanges ranges, long in) {
        Inventory digests = ranges.end();
        return digests.getRangesCount() == 0
                ? CompletableFuture.completedFuture(List.of())
                : ask(digests, in, COMPARISON)
                        .thenApply(reply ->
                                ranges.spans(reply.getInventoryDifferences().getRangesList()));
    }

    private CompletableFuture<Void> sendSpans(Iterator<InventoryRanges.Span> spans, long in) {
        return spans.hasNext()
                ? sendSpan(spans.next(), in).thenCompose(done -> sendSpans(spans, in))
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> sendSpan(InventoryRanges.Span span, long in) {
        return honeycomb.inventory(span.after(), PAGE).thenCompose(page -> {
            List<ReplicaName> inside = page.stream().filter(span::contains).toList();
            return inside.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : send(inside, in)
                            .thenCompose(done -> sendSpan(new InventoryRanges.Span(inside.getLast(), span.last()), in));
        });
    }

    private CompletableFuture<Void> send(List<ReplicaName> page, long in) {
        return ask(Inventory.newBuilder().addAllReplicas(page).build(), in, deadline)
                .thenCompose(this::remove);
    }

    private CompletableFuture<QueenReply> ask(Inventory inventory, long in, Duration within) {
        QueenRequest request =
                QueenRequest.newBuilder().setSession(in).setInventory(inventory).build();
        return connection.call(request, QueenReply.parser(), within).thenApply(reply -> checked(reply.body()));
    }

    private static QueenReply checked(QueenReply reply) {
        if (reply.hasFailure() && reply.getFailure().getErrno() != 0) {
            throw PosixException.of(reply.getFailure());
        }
        if (reply.getUnknownSession()) {
            throw new PosixException(Errno.ESTALE, "the session has ended");
        }
        return reply;
    }

    private CompletableFuture<Void> remove(QueenReply reply) {
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
