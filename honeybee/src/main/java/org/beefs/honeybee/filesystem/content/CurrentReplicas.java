package org.beefs.honeybee.filesystem.content;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;
import org.beefs.honeybee.queen.Metadata;

/**
 * Reads a file wherever its newest version is: on this desktop, else at the primary, else at another secondary; and at
 * the next one when one fails, or is slow: then whoever answers first is believed. A secondary is asked only while this
 * desktop holds the lease on the file's attributes, which is recalled before anybody begins to write, and only for the
 * version that the lease is on.
 */
final class CurrentReplicas {
    /**
     * A replica of a file.
     *
     * @param target what is asked for there
     */
    private record Replica(Layout layout, ReplicaPlace place, ReplicaTarget target) {
        static Replica primary(Layout layout) {
            return new Replica(layout, Honeycombs.primary(layout), ReplicaTargets.of(layout));
        }

        static Replica secondary(Layout layout, ReplicaPlace place) {
            return new Replica(layout, place, ReplicaTargets.unchanged(layout));
        }
    }

    /**
     * What is read.
     *
     * @param unwanted takes a result that does not count
     */
    private record Read<T>(OpenHandle handle, ReplicaOperation<T> operation, Consumer<T> unwanted) {}

    private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(1);

    /** Longer than desktops that are away can keep others from a lease. */
    private static final int MOST_ROUNDS = 8;

    private final PresentLayouts layouts;
    private final Metadata metadata;
    private final PrimaryReplica primary;
    private final Honeycombs honeycombs;
    private final Timers timers;

    /** @param primary waited for, where only that helps, as long as an application may wait */
    CurrentReplicas(
            PresentLayouts layouts, Metadata metadata, PrimaryReplica primary, Honeycombs honeycombs, Timers timers) {
        this.layouts = layouts;
        this.metadata = metadata;
        this.primary = primary;
        this.honeycombs = honeycombs;
        this.timers = timers;
    }

    /**
     * Does something with the content that changes nothing. A layout that says that somebody writes may be out of date:
     * then only the primary is asked at first, but the queen-bee knows more when that does not answer.
     *
     * @param unwanted takes a result that comes too late
     */
    <T> CompletableFuture<T> read(OpenHandle handle, ReplicaOperation<T> operation, Consumer<T> unwanted) {
        if (handle.open().write()) {
            return primary.at(handle, operation);
        }
        Read<T> read = new Read<>(handle, operation, unwanted);
        return layouts.toRead(handle)
                .thenCompose(layout -> honeycombs.isPrimary(layout) ? atPrimary(read) : race(read));
    }

    /**
     * Whether all of a file is on disks, whoever is away: nobody writes it, and another desktop than its primary's has
     * a copy, which nobody gets before it is on the primary's disk.
     */
    CompletableFuture<Boolean> isCopied(OpenHandle handle) {
        Node known = metadata.knownNode(handle.open().inode());
        if (handle.open().write()
                || honeycombs.isPrimary(handle.layout())
                || known == null
                || known.getLayout().getDirty()) {
            return CompletableFuture.completedFuture(false);
        }
        boolean copied = isCopied(handle.layout());
        return copied || honeycombs.isConnected(handle.layout())
                ? CompletableFuture.completedFuture(copied)
                : layouts.ask(handle).thenApply(this::isCopied).exceptionally(failure -> false);
    }

    private boolean isCopied(Layout layout) {
        return isLeased(layout) && layout.getSecondariesCount() > 0;
    }

    private <T> CompletableFuture<T> atPrimary(Read<T> read) {
        return primary.at(read.handle(), read.operation()).exceptionallyCompose(failure -> {
            if (!passes(failure)) {
                return CompletableFuture.failedFuture(failure);
            }
            return withSecondaries(read.handle())
                    .thenCompose(layout -> layout.getSecondariesList().isEmpty()
                            ? CompletableFuture.failedFuture(failure)
                            : race(read));
        });
    }

    private <T> CompletableFuture<T> race(Read<T> read) {
        ReplicaRace<T> race = new ReplicaRace<>(timers, read.unwanted(), honeycombs.connections()::lostRace);
        rounds(MOST_ROUNDS, read, race).whenComplete((_, failure) -> {
            if (failure != null) { // the queen-bee's, while some may still answer
                race.awaitAll().thenRun(() -> race.fail(failure));
            }
        });
        return race.answer();
    }

    /**
     * A layout by which a file was opened without asking names no secondaries: then the queen-bee is asked whether
     * there are any.
     */
    private CompletableFuture<Layout> withSecondaries(OpenHandle handle) {
        Layout known = handle.layout();
        return known.getSecondariesList().isEmpty() ? layouts.ask(handle) : CompletableFuture.completedFuture(known);
    }

    /**
     * Asks all replicas that may have the content, then the queen-bee, who may know more by now; and again while there
     * are secondaries, because there is no lease while she waits for somebody to give up his, such as the desktop that
     * is away. If there are none only the primary helps.
     */
    private <T> CompletableFuture<Void> rounds(int left, Read<T> read, ReplicaRace<T> race) {
        return first(order(read.handle()), read, race)
                .thenCompose(none -> race.isOver()
                        ? Futures.DONE
                        : layouts.ask(read.handle()).thenCompose(layout -> {
                            boolean alone = layout.getDirty()
                                    || layout.getSecondariesList().isEmpty();
                            return alone || left == 1
                                    ? atLast(layout, read, race)
                                    : Futures.after(timers, BETWEEN_ROUNDS)
                                            .thenCompose(over -> rounds(left - 1, read, race));
                        }));
    }

    /** Asks the primary again, but only once it has failed: not while it may still answer. */
    private <T> CompletableFuture<Void> atLast(Layout layout, Read<T> read, ReplicaRace<T> race) {
        return race.await(layout.getHoneycomb()).thenRun(() -> {
            if (!race.isOver()) {
                race.end(primary.at(read.handle(), read.operation()));
            }
        });
    }

    /** Whether another replica may do better. */
    private static boolean passes(Throwable failure) {
        Errno errno = Failures.toPosix(failure).errno();
        return errno == Errno.EIO || errno == Errno.ESTALE;
    }

    /**
     * The replicas to ask, in this order. A primary that the queen-bee does not see is left out; one that was slower
     * than others a moment ago is last.
     */
    private Deque<Replica> order(OpenHandle handle) {
        Deque<Replica> order = secondaries(handle);
        Layout layout = handle.layout();
        if (!layout.getAddress().isEmpty()) {
            Replica local = order.isEmpty() || !isHere(order.getFirst()) ? null : order.poll();
            order.addFirst(Replica.primary(layout));
            if (local != null) {
                order.addFirst(local);
            }
        }
        if (order.size() > 1) {
            List<Replica> slow = order.stream().filter(this::isSlow).toList();
            order.removeAll(slow);
            order.addAll(slow);
        }
        return order;
    }

    private boolean isSlow(Replica replica) {
        return honeycombs.connections().isSlow(replica.place().getHoneycomb());
    }

    private boolean isHere(Replica replica) {
        return honeycombs.isHere(replica.place().getHoneycomb());
    }

    /** The secondaries, the one on this desktop first; none without the lease. */
    private Deque<Replica> secondaries(OpenHandle handle) {
        Layout layout = handle.layout();
        Deque<Replica> secondaries = new ArrayDeque<>();
        if (isLeased(layout)) {
            for (ReplicaPlace place : layout.getSecondariesList()) {
                Replica secondary = Replica.secondary(layout, place);
                if (isHere(secondary)) {
                    secondaries.addFirst(secondary);
                } else {
                    secondaries.addLast(secondary);
                }
            }
        }
        return secondaries;
    }

    /** Whether nobody can be writing the file, and its newest version is the layout's. */
    private boolean isLeased(Layout layout) {
        Node node = metadata.knownNode(layout.getInode());
        return node != null
                && !node.getLayout().getDirty()
                && !layout.getDirty()
                && node.getLayout().getVersion() == layout.getVersion()
                && node.getLayout().getEpoch() == layout.getEpoch();
    }

    /**
     * Asks one replica after the other. Done when the race is over, or when none is left after failures that others
     * might not have had.
     */
    private <T> CompletableFuture<Void> first(Deque<Replica> order, Read<T> read, ReplicaRace<T> race) {
        Replica next = order.poll();
        if (next == null || race.isOver()) {
            return Futures.DONE;
        }
        return race.ask(next.place(), () -> ask(next, read))
                .exceptionallyCompose(failure ->
                        passes(failure) ? first(order, read, race) : CompletableFuture.failedFuture(failure));
    }

    /**
     * Asks one replica. A secondary's answer counts only if the lease still holds: it may come late, and others may
     * have written since. Then a program that begins to read only now may be given the same pages.
     */
    private <T> CompletableFuture<T> ask(Replica replica, Read<T> read) {
        Layout layout = replica.layout();
        CompletableFuture<T> answer =
                read.operation().on(honeycombs.at(replica.place(), layout.getInode()), replica.target());
        return replica.target().getExactVersion() == 0
                ? answer
                : answer.thenApply(result -> {
                    if (!isLeased(layout)) {
                        read.unwanted().accept(result);
                        throw new PosixException(Errno.ESTALE, "others may have written meanwhile");
                    }
                    return result;
                });
    }
}
