package org.beefs.queenbee.lock;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests that wait, in the order in which they came. */
final class Waiters {
    private final Map<Waiter.Key, Waiter> all = new LinkedHashMap<>();
    private final Map<LockTable.File, Set<Waiter>> byFile = new HashMap<>();
    private final Map<Owner, Set<Waiter>> byOwner = new HashMap<>();
    private final Map<Long, Integer> ofSession = new HashMap<>();

    void add(Waiter waiter) {
        all.put(waiter.key(), waiter);
        byFile.computeIfAbsent(LockTable.File.of(waiter.wanted()), file -> new LinkedHashSet<>())
                .add(waiter);
        byOwner.computeIfAbsent(waiter.wanted().owner(), owner -> new LinkedHashSet<>())
                .add(waiter);
        ofSession.merge(waiter.key().session(), 1, Integer::sum);
    }

    void remove(Waiter waiter) {
        all.remove(waiter.key());
        removeFrom(byFile, LockTable.File.of(waiter.wanted()), waiter);
        removeFrom(byOwner, waiter.wanted().owner(), waiter);
        ofSession.computeIfPresent(waiter.key().session(), (session, count) -> count > 1 ? count - 1 : null);
    }

    @Nullable
    Waiter find(long session, long ticket) {
        return all.get(new Waiter.Key(session, ticket));
    }

    List<Waiter> forFile(LockTable.File file) {
        return List.copyOf(byFile.getOrDefault(file, Set.of()));
    }

    Set<Waiter> of(Owner owner) {
        return byOwner.getOrDefault(owner, Set.of());
    }

    List<Waiter> ofSession(long session) {
        return all.values().stream()
                .filter(waiter -> waiter.key().session() == session)
                .toList();
    }

    /** The waiters that came first. */
    List<Waiter> first(int most) {
        return all.values().stream().limit(most).toList();
    }

    int count(long session) {
        return ofSession.getOrDefault(session, 0);
    }

    int size() {
        return all.size();
    }

    private static <K> void removeFrom(Map<K, Set<Waiter>> index, K key, Waiter waiter) {
        index.computeIfPresent(key, (same, waiters) -> {
            waiters.remove(waiter);
            return waiters.isEmpty() ? null : waiters;
        });
    }
}
