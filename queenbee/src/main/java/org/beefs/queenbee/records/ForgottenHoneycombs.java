package org.beefs.queenbee.records;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;

/**
 * Ends, slice by slice, what was kept for honeycombs that are forgotten: the replicas that they were to remove, and the
 * tombstones of which they were to hear. All that follows from what is written down, so a restart goes on with it.
 * Belongs to the namespace thread.
 */
final class ForgottenHoneycombs {
    /** Of both; each of them is written. */
    private static final int SLICE = 1024;

    private final Honeycombs honeycombs;
    private final Tombstones tombstones;
    private final LongFunction<List<Integer>> keepers;

    /** Those for which something may be left. */
    private final Deque<Honeycomb> left = new ArrayDeque<>();

    /** @param keepers as {@link RecordPlaces#keepers} */
    ForgottenHoneycombs(Honeycombs honeycombs, Tombstones tombstones, LongFunction<List<Integer>> keepers) {
        this.honeycombs = honeycombs;
        this.tombstones = tombstones;
        this.keepers = keepers;
    }

    void add(Honeycomb forgotten) {
        left.add(forgotten);
    }

    /** Whether another slice would find something. */
    boolean hasMore() {
        return !left.isEmpty();
    }

    /** Ends a few; answers tombstones that others may have to hear of. */
    List<Tombstone> runSlice() {
        Honeycomb next = left.peek();
        if (next == null) {
            return List.of();
        }
        honeycombs.errands().discardDrops(next, SLICE);
        List<Tombstone> changed = tombstones.leaveOut(next.number(), SLICE, keepers);
        if (changed.isEmpty() && next.errands().drops().pending() == 0) {
            left.remove();
        }
        return changed;
    }
}
