package org.beefs.honeycomb.replicator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.wire.Fetch;
import org.beefs.honeycomb.state.ReplicaId;

/**
 * Replicas that somebody waits for. Copying them in the background ends, because one replica is taken in by one request
 * at a time. Thread-safe.
 */
final class Precedence {
    /** @param fetches what the admission is for */
    private record Waiting(CompletableFuture<Boolean> admission, List<Fetch> fetches) {}

    /** Replicas by the number of requests that want them. Guarded by this. */
    private final Map<ReplicaId, Integer> wanted = new HashMap<>();

    /** Admissions in the background that are waited for: as many as copies under way. Guarded by this. */
    private final List<Waiting> waiting = new ArrayList<>();

    /** Somebody waits for these, until {@link #end}. */
    void begin(List<Fetch> fetches) {
        List<CompletableFuture<Boolean>> inTheWay;
        synchronized (this) {
            fetches.forEach(fetch -> wanted.merge(id(fetch), 1, Integer::sum));
            inTheWay = waiting.stream()
                    .filter(one -> isAnyWanted(one.fetches()))
                    .map(Waiting::admission)
                    .toList();
        }
        inTheWay.forEach(admission -> admission.complete(false));
    }

    synchronized void end(List<Fetch> fetches) {
        fetches.forEach(fetch -> wanted.computeIfPresent(id(fetch), (_, times) -> times == 1 ? null : times - 1));
    }

    /**
     * The admission of a copy in the background; false as soon as somebody waits for any of the replicas that it
     * copies.
     */
    CompletableFuture<Boolean> unlessWanted(List<Fetch> fetches, Supplier<CompletableFuture<Boolean>> admission) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Waiting copy = new Waiting(result, fetches);
        synchronized (this) {
            if (isAnyWanted(fetches)) {
                return CompletableFuture.completedFuture(false);
            }
            waiting.add(copy);
        }
        admission.get().whenComplete((admitted, failure) -> {
            if (failure == null) {
                result.complete(admitted);
            } else {
                result.completeExceptionally(failure);
            }
        });
        return result.whenComplete((_, _) -> forget(copy));
    }

    private synchronized void forget(Waiting copy) {
        waiting.remove(copy);
    }

    private boolean isAnyWanted(List<Fetch> fetches) {
        return fetches.stream().anyMatch(fetch -> wanted.containsKey(id(fetch)));
    }

    private static ReplicaId id(Fetch fetch) {
        return ReplicaId.of(fetch.getReplica());
    }
}
