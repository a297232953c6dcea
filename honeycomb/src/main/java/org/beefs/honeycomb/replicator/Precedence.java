package org.beefs.honeycomb.replicator;

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
    /** Replicas by the number of requests that want them. Guarded by this. */
    private final Map<ReplicaId, Integer> wanted = new HashMap<>();

    /** Admissions in the background that are waited for, with what they are for. Guarded by this. */
    private final Map<CompletableFuture<Boolean>, List<Fetch>> waiting = new HashMap<>();

    /** Somebody waits for these, until {@link #end}. */
    void begin(List<Fetch> fetches) {
        List<CompletableFuture<Boolean>> inTheWay;
        synchronized (this) {
            fetches.forEach(fetch -> wanted.merge(id(fetch), 1, Integer::sum));
            inTheWay = waiting.entrySet().stream()
                    .filter(admission -> isAnyWanted(admission.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
        }
        inTheWay.forEach(admission -> admission.complete(false));
    }

    synchronized void end(List<Fetch> fetches) {
        fetches.forEach(fetch -> wanted.computeIfPresent(id(fetch), (_, times) -> times == 1 ? null : times - 1));
    }

    /** The admission of a copy in the background; false as soon as somebody waits for any of what it is for. */
    CompletableFuture<Boolean> unlessWanted(List<Fetch> fetches, Supplier<CompletableFuture<Boolean>> admission) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        synchronized (this) {
            if (isAnyWanted(fetches)) {
                return CompletableFuture.completedFuture(false);
            }
            waiting.put(result, fetches);
        }
        admission.get().whenComplete((admitted, failure) -> {
            if (failure == null) {
                result.complete(admitted);
            } else {
                result.completeExceptionally(failure);
            }
        });
        return result.whenComplete((_, _) -> forget(result));
    }

    private synchronized void forget(CompletableFuture<Boolean> admission) {
        waiting.remove(admission);
    }

    private boolean isAnyWanted(List<Fetch> fetches) {
        return fetches.stream().anyMatch(fetch -> wanted.containsKey(id(fetch)));
    }

    private static ReplicaId id(Fetch fetch) {
        return ReplicaId.of(fetch.getReplica());
    }
}
