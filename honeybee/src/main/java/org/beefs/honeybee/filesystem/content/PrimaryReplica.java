package org.beefs.honeybee.filesystem.content;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.Patience;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.queen.QueenProxy;
import org.beefs.honeybee.queen.WriteRight;

/** The primary replica of an open file, wherever that is by now. Thread-safe. */
final class PrimaryReplica {
    private final WriteRight right;
    private final PresentLayouts layouts;
    private final Honeycombs honeycombs;
    private final FullHoneycombs full;

    PrimaryReplica(QueenProxy queen, PresentLayouts layouts, Honeycombs honeycombs) {
        this.right = queen.writeRight();
        this.layouts = layouts;
        this.honeycombs = honeycombs;
        this.full = new FullHoneycombs(queen);
    }

    /** Does something with it that changes nothing. */
    <T> CompletableFuture<T> at(OpenHandle handle, ReplicaOperation<T> operation) {
        return at(handle, layouts.toRead(handle), onPrimary(honeycombs::at, operation));
    }

    /**
     * Changes it. Where its honeycomb has no room, the queen-bee is asked to make some.
     *
     * @param growth bytes that it may need
     * @param way to its honeycomb
     */
    CompletableFuture<ReplicaStatus> change(
            OpenHandle handle,
            long growth,
            Function<Layout, ReplicaAccess> way,
            ReplicaOperation<ReplicaStatus> operation) {
        Function<Layout, CompletableFuture<ReplicaStatus>> change = onPrimary(way, operation);
        return full.relieve(handle.open().inode(), growth, () -> inTerm(handle, change, right.patience()));
    }

    /**
     * As {@link #change} of what the handle's {@link OpenHandle#changes} know to be under way, which is over then.
     *
     * @param first what has to be done before
     */
    CompletableFuture<ReplicaStatus> changeAfter(
            OpenHandle handle,
            long growth,
            Supplier<CompletableFuture<Void>> first,
            Function<Layout, ReplicaAccess> way,
            ReplicaOperation<ReplicaStatus> operation) {
        long inode = handle.open().inode();
        long lease = honeycombs.writeBehind().lease(inode);
        return Futures.attempt(first)
                .thenCompose(done -> change(handle, growth, way, operation))
                .whenComplete((status, failure) -> {
                    honeycombs.writeBehind().observe(inode, lease, status);
                    handle.changeEnds(status);
                });
    }

    /** The operation on the primary replica of a layout. */
    private static <T> Function<Layout, CompletableFuture<T>> onPrimary(
            Function<Layout, ReplicaAccess> way, ReplicaOperation<T> operation) {
        return layout -> Futures.attempt(() -> operation.on(way.apply(layout), ReplicaTargets.of(layout)));
    }

    /**
     * A change waits for the queen-bee, as all that asks her does, when she has not been heard for so long that this
     * desktop may not change anything: who is asked here is heard. So does one that was not made because the term was
     * over, though by now another one may have begun.
     */
    private CompletableFuture<ReplicaStatus> inTerm(
            OpenHandle handle, Function<Layout, CompletableFuture<ReplicaStatus>> change, Patience patience) {
        if (!right.holds()) {
            return layouts.ask(handle)
                    .thenCompose(heard -> right.regain(patience))
                    .thenCompose(done -> attempt(handle, change, patience));
        }
        return attempt(handle, change, patience);
    }

    private CompletableFuture<ReplicaStatus> attempt(
            OpenHandle handle, Function<Layout, CompletableFuture<ReplicaStatus>> change, Patience patience) {
        long term = right.term();
        return at(handle, layouts.of(handle), change)
                .exceptionallyCompose(failure ->
                        Failures.toPosix(failure).errno() == Errno.EAGAIN && (!right.holds() || right.term() != term)
                                ? inTerm(handle, change, patience)
                                : CompletableFuture.failedFuture(failure));
    }

    /**
     * Does something with the primary replica. If that is not where, or not what, the layout says, the queen-bee is
     * asked once for the present layout; ESTALE remains when that is no other.
     */
    private <T> CompletableFuture<T> at(
            OpenHandle handle, CompletableFuture<Layout> where, Function<Layout, CompletableFuture<T>> operation) {
        return where.thenCompose(layout -> operation
                .apply(layout)
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.ESTALE
                        ? atPresentLayout(handle, layout, operation, failure)
                        : CompletableFuture.failedFuture(failure)));
    }

    private <T> CompletableFuture<T> atPresentLayout(
            OpenHandle handle, Layout former, Function<Layout, CompletableFuture<T>> operation, Throwable failure) {
        return layouts.ask(handle)
                .thenCompose(present -> isSameReplica(present, former)
                        ? CompletableFuture.failedFuture(failure)
                        : operation.apply(present));
    }

    private static boolean isSameReplica(Layout one, Layout other) {
        return one.getHoneycomb().equals(other.getHoneycomb())
                && one.getGeneration() == other.getGeneration()
                && one.getEpoch() == other.getEpoch();
    }
}
