package org.beefs.honeybee.filesystem.content;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeybee.Futures;
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
     * A replica.
     *
     * @param layout as if its honeycomb had the primary
     */
    private record Place(Layout layout, ReplicaTarget target) {
        static Place of(Layout layout, ReplicaPlace secondary) {
            return new Place(
                    layout.toBuilder()
                            .setHoneycomb(secondary.getHoneycomb())
                            .setAddress(secondary.getAddress())
                            .setDesktop(secondary.getDesktop())
                            .build(),
                    ReplicaTargets.unchanged(layout));
        }
    }

    /**
     * What is read.
     *
     * @param primary the same with the primary replica, waiting for it as long as an application may wait
     * @param unwanted takes a result that does not count
     */
    private record Read<T>(
            OpenHandle handle,
            ReplicaOperation<T> operation,
            Supplier<CompletableFuture<T>> primary,
            Consumer<T> unwanted) {}

    private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(1);

    /** Longer than desktops that are away can keep others from a lease. */
    private static final int MOST_ROUNDS = 8;

    private final PresentLayouts layouts;
    private final Metadata metadata;
    private final Honeycombs honeycombs;
    private final Timers timers;

    CurrentReplicas(PresentLayouts layouts, Metadata metadata, Honeycombs honeycombs, Timers timers) {
        this.layouts = layouts;
        this.metadata = metadata;
        this.honeycombs = honeycombs;
        this.timers = timers;
    }

    /**
     * Does something with the content that changes nothing. A layout that says that somebody writes may be out of date:
     * then only the primary is asked at first, but the queen-bee knows more when that does not answer.
     *
     * @param primary the same with the primary replica, waiting for it as long as an application may wait
     * @param unwanted takes a result that comes too late
     */
    <T> CompletableFuture<T> read(
            OpenHandle handle,
            ReplicaOperation<T> operation,
            Supplier<CompletableFuture<T>> primary,
            Consumer<T> unwanted) {
        if (handle.open().write()) {
            return primary.get();
        }
        Read<T> read = new Read<>(handle, operation, primary, unwanted);
        return layouts.toRead(handle)
                .thenCompose(layout -> honeycombs.isPrimary(layout) ? atPrimary(read) : race(read));
    }

    private <T> CompletableFuture<T> atPrimary(Read<T> read) {
        return read.primary().get().exceptionallyCompose(failure -> {
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
        ReplicaRace<T> race = new ReplicaRace<>(timers, read.unwanted(), honeycombs::lostRace);
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
    private static <T> CompletableFuture<Void> atLast(Layout layout, Read<T> read, ReplicaRace<T> race) {
        return race.await(layout.getHoneycomb()).thenRun(() -> {
            if (!race.isOver()) {
                race.end(read.primary().get());
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
    private Deque<Place> order(OpenHandle handle) {
        Deque<Place> order = secondaries(handle);
        Layout layout = handle.layout();
        if (!layout.getAddress().isEmpty()) {
            Place local = order.isEmpty() || honeycombs.local(order.getFirst().layout()) == null ? null : order.poll();
            order.addFirst(new Place(layout, ReplicaTargets.of(layout)));
            if (local != null) {
                order.addFirst(local);
            }
        }
        if (order.size() > 1) {
            List<Place> slow = order.stream().filter(this::isSlow).toList();
            order.removeAll(slow);
            order.addAll(slow);
        }
        return order;
    }

    private boolean isSlow(Place place) {
        return honeycombs.isSlow(place.layout().getHoneycomb());
    }

    /** The secondaries, the one on this desktop first; none without the lease. */
    private Deque<Place> secondaries(OpenHandle handle) {
        Layout layout = handle.layout();
        Deque<Place> places = new ArrayDeque<>();
        if (isLeased(layout)) {
            for (ReplicaPlace place : layout.getSecondariesList()) {
                Place there = Place.of(layout, place);
                if (honeycombs.local(there.layout()) != null) {
                    places.addFirst(there);
                } else {
                    places.addLast(there);
                }
            }
        }
        return places;
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
     * Asks one replica after the other. Done when the race is over, or when no place is left after failures that others
     * might not have had.
     */
    private <T> CompletableFuture<Void> first(Deque<Place> order, Read<T> read, ReplicaRace<T> race) {
        Place next = order.poll();
        if (next == null || race.isOver()) {
            return Futures.DONE;
        }
        return race.ask(next.layout(), () -> ask(next, read))
                .exceptionallyCompose(failure ->
                        passes(failure) ? first(order, read, race) : CompletableFuture.failedFuture(failure));
    }

    /**
     * Asks one replica. A secondary's answer counts only if the lease still holds: it may come late, and others may
     * have written since. Then a program that begins to read only now may be given the same pages.
     */
    private <T> CompletableFuture<T> ask(Place place, Read<T> read) {
        CompletableFuture<T> answer = read.operation().on(honeycombs.at(place.layout()), place.target());
        return place.target().getExactVersion() == 0
                ? answer
                : answer.thenApply(result -> {
                    if (!isLeased(place.layout())) {
                        read.unwanted().accept(result);
                        throw new PosixException(Errno.ESTALE, "others may have written meanwhile");
                    }
                    return result;
                });
    }
}
