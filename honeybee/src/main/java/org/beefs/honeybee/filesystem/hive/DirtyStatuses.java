package org.beefs.honeybee.filesystem.hive;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReplicaTargets;

/** Asks for the states of many dirty files, with one request for all of a honeycomb. */
final class DirtyStatuses {
    private final Honeycombs honeycombs;
    private final Timers timers;
    private final Duration limit;

    /** @param limit how long to wait for a honeycomb that does not answer */
    DirtyStatuses(Honeycombs honeycombs, Timers timers, Duration limit) {
        this.honeycombs = honeycombs;
        this.timers = timers;
        this.limit = limit;
    }

    /**
     * The states by inode, without those that could not be had in time, and those of honeycombs that the queen-bee does
     * not see either. Never fails.
     */
    CompletableFuture<Map<Long, ReplicaStatus>> of(List<Layout> dirty) {
        List<Layout> present = dirty.stream().filter(this::isThere).toList();
        List<CompletableFuture<List<ReplicaStatus>>> batches =
                batches(present).stream().map(this::ask).toList();
        return CompletableFuture.allOf(batches.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<Long, ReplicaStatus> statuses = new HashMap<>();
                    for (CompletableFuture<List<ReplicaStatus>> batch : batches) {
                        batch.resultNow().forEach(status -> statuses.put(status.getInode(), status));
                    }
                    return statuses;
                });
    }

    private boolean isThere(Layout layout) {
        return !layout.getAddress().isEmpty() || honeycombs.isAtHand(layout);
    }

    private CompletableFuture<List<ReplicaStatus>> ask(List<Layout> batch) {
        CompletableFuture<List<ReplicaStatus>> answer = Futures.attempt(() -> honeycombs
                .at(batch.getFirst())
                .statuses(batch.stream().map(ReplicaTargets::of).toList()));
        return Futures.within(timers, limit, answer).thenApply(statuses -> statuses.orElse(List.of()));
    }

    private static List<List<Layout>> batches(List<Layout> dirty) {
        Map<ByteString, List<Layout>> byHoneycomb = new LinkedHashMap<>();
        for (Layout layout : dirty) {
            byHoneycomb
                    .computeIfAbsent(layout.getHoneycomb(), first -> new ArrayList<>())
                    .add(layout);
        }
        List<List<Layout>> batches = new ArrayList<>();
        for (List<Layout> all : byHoneycomb.values()) {
            for (int from = 0; from < all.size(); from += ProtocolBounds.REPLICA_TARGETS) {
                batches.add(all.subList(from, Math.min(all.size(), from + ProtocolBounds.REPLICA_TARGETS)));
            }
        }
        return batches;
    }
}
