package org.beefs.queenbee.lock;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Number of owners. */
    int owners() {
        return owners.size();
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

    /** Of each other owner's first conflicting lock, the one that starts at the lowest byte. */
    Optional<Lock> firstConflict(Wanted wanted) {
        Lock first = null;
        for (Lock lock : conflicts(wanted)) {
            if (first == null || lock.range().start() < first.range().start()) {
                first = lock;
            }
        }
        return Optional.ofNullable(first);
    }

    boolean hasConflict(Wanted wanted) {
        for (Map.Entry<Owner, OwnerLocks> entry : owners.entrySet()) {
            if (conflict(entry, wanted) != null) {
                return true;
            }
        }
        return false;
    }

    /** The first conflicting lock of each owner who is in the way. */
    List<Lock> conflicts(Wanted wanted) {
        List<Lock> conflicts = new ArrayList<>();
        for (Map.Entry<Owner, OwnerLocks> entry : owners.entrySet()) {
            Lock lock = conflict(entry, wanted);
            if (lock != null) {
                conflicts.add(lock);
            }
        }
        return conflicts;
    }

    /** No streams here: it is asked for each owner. */
    private static @Nullable Lock conflict(Map.Entry<Owner, OwnerLocks> entry, Wanted wanted) {
        return entry.getKey().equals(wanted.owner()) ? null : entry.getValue().firstConflict(wanted);
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
