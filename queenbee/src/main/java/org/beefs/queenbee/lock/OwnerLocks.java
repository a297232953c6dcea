package org.beefs.queenbee.lock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one owner holds of one file: locks that do not overlap, merged where they touch and are alike. */
final class OwnerLocks {
    /** Takes part in a lock. */
    record Piece(Mode mode, Range range) {}

    /** How locks change: some go, and pieces of the file become locks of their own. */
    record Change(List<Lock> removed, List<Piece> added) {
        boolean isEmpty() {
            return removed.isEmpty() && added.isEmpty();
        }
    }

    private final NavigableMap<Long, Lock> byStart = new TreeMap<>();

    void add(Lock lock) {
        byStart.put(lock.range().start(), lock);
    }

    void remove(Lock lock) {
        byStart.remove(lock.range().start());
    }

    Collection<Lock> all() {
        return byStart.values();
    }

    /** The first lock that is in the way of what another owner wants; null when none is. */
    @Nullable
    Lock firstConflict(Wanted wanted) {
        for (Lock lock : overlapping(wanted.range())) {
            if (lock.conflictsWith(wanted)) {
                return lock;
            }
        }
        return null;
    }

    private Collection<Lock> overlapping(Range range) {
        Map.Entry<Long, Lock> before = byStart.lowerEntry(range.start());
        boolean reaches = before != null && before.getValue().range().overlaps(range);
        return byStart.subMap(reaches ? before.getKey() : range.start(), true, range.end(), true)
                .values();
    }

    /** The change after which the whole range is held like this, or not at all. */
    Change change(Range range, @Nullable Mode mode) {
        List<Lock> removed = new ArrayList<>();
        List<Piece> added = new ArrayList<>();
        Range merged = range;
        for (Lock lock : overlapping(withNeighbours(range))) {
            if (lock.mode() == mode) {
                removed.add(lock);
                merged = merged.and(lock.range());
            } else if (lock.range().overlaps(range)) {
                removed.add(lock);
                addRest(lock, range, added);
            }
        }
        if (removed.size() == 1
                && removed.getFirst().mode() == mode
                && removed.getFirst().range().equals(merged)) {
            return new Change(List.of(), List.of());
        }
        if (mode != null) {
            added.add(new Piece(mode, merged));
        }
        return new Change(removed, added);
    }

    /** The range with a byte more on each side, so that locks which touch it are found. */
    private static Range withNeighbours(Range range) {
        return new Range(Math.max(0, range.start() - 1), range.end() == Range.MAX ? Range.MAX : range.end() + 1);
    }

    /** Adds what is left of a lock on both sides of a range. */
    private static void addRest(Lock lock, Range range, List<Piece> rest) {
        if (lock.range().start() < range.start()) {
            rest.add(new Piece(lock.mode(), new Range(lock.range().start(), range.start() - 1)));
        }
        if (lock.range().end() > range.end()) {
            rest.add(new Piece(
                    lock.mode(), new Range(range.end() + 1, lock.range().end())));
        }
    }
}
