package org.beefs.queenbee.lock;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The locks of one kind that are held on one file. */
final class FileLocks {
    private final Map<Owner, OwnerLocks> owners = new LinkedHashMap<>();
    private int size;

    boolean isEmpty() {
        return owners.isEmpty();
    }

    /** Number of locks. */
    int size() {
        return size;
    }

    void add(Lock lock) {
        owners.computeIfAbsent(lock.owner(), owner -> new OwnerLocks()).add(lock);
        size++;
    }

    void remove(Lock lock) {
        OwnerLocks held = owners.get(lock.owner());
        if (held != null) {
            held.remove(lock);
            size--;
            if (held.all().isEmpty()) {
                owners.remove(lock.owner());
            }
        }
    }

    boolean isHeldBy(Owner owner) {
        return owners.containsKey(owner);
    }

    /** The change after which the owner holds the whole range like this, or not at all. */
    OwnerLocks.Change change(Owner owner, Range range, @Nullable Mode mode) {
        OwnerLocks held = owners.get(owner);
        return (held == null ? new OwnerLocks() : held).change(range, mode);
    }

    /** One of the locks that others hold against this: of their first ones the one that begins first. */
    Optional<Lock> firstConflict(Wanted wanted) {
        Lock first = null;
        for (Lock lock : conflicts(wanted).toList()) {
            if (first == null || lock.range().start() < first.range().start()) {
                first = lock;
            }
        }
        return Optional.ofNullable(first);
    }

    boolean hasConflict(Wanted wanted) {
        return conflicts(wanted).findAny().isPresent();
    }

    /** The first conflicting lock of each owner who is in the way. */
    Stream<Lock> conflicts(Wanted wanted) {
        return owners.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(wanted.owner()))
                .flatMap(entry -> entry.getValue().overlapping(wanted.range()).stream()
                        .filter(lock -> lock.conflictsWith(wanted))
                        .limit(1));
    }

    /** All that a session holds. */
    List<Lock> of(long session) {
        List<Lock> locks = new ArrayList<>();
        owners.forEach((owner, held) -> {
            if (owner.session() == session) {
                locks.addAll(held.all());
            }
        });
        return locks;
    }
}
