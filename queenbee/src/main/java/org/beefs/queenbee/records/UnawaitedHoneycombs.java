package org.beefs.queenbee.records;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.Presence;

/**
 * Ends, slice by slice, what was kept for honeycombs that nobody waits for any more: of forgotten ones the replicas
 * that they were to remove, and the tombstones of which they were to hear; of lost ones the tombstones that they only
 * keep. All that follows from what is written down, so a restart goes on with it. Belongs to the namespace thread.
 */
final class UnawaitedHoneycombs {
    /** Drops, and tombstones; each of them is written. */
    private static final int SLICE = 1024;

    private final Honeycombs honeycombs;
    private final Tombstones tombstones;
    private final LongFunction<List<Integer>> keepers;

    /** Forgotten ones for which something may be left. */
    private final Deque<Honeycomb> forgotten = new ArrayDeque<>();

    /** Numbers of others that may be among the keepers of the tombstones from that position on. */
    private final Set<Integer> lost = new HashSet<>();

    private int position;

    /** @param keepers as {@link RecordPlaces#keepers} */
    UnawaitedHoneycombs(Honeycombs honeycombs, Tombstones tombstones, LongFunction<List<Integer>> keepers) {
        this.honeycombs = honeycombs;
        this.tombstones = tombstones;
        this.keepers = keepers;
    }

    /** All is loaded. */
    void start() {
        honeycombs.everRegistered().stream().filter(Honeycomb::isForgotten).forEach(forgotten::add);
        addLost(honeycombs.all().stream()
                .filter(honeycomb -> honeycomb.presence() == Presence.LOST)
                .toList());
    }

    void addForgotten(Honeycomb honeycomb) {
        forgotten.add(honeycomb);
        addLost(List.of(honeycomb));
    }

    void addLost(Collection<Honeycomb> some) {
        some.forEach(honeycomb -> lost.add(honeycomb.number()));
        position = 0;
    }

    /** Whether another slice would find something. */
    boolean hasMore() {
        return !forgotten.isEmpty() || !lost.isEmpty();
    }

    /** Ends a few; answers tombstones that others may have to hear of. */
    List<Tombstone> runSlice() {
        List<Tombstone> changed = new ArrayList<>();
        if (!lost.isEmpty()) {
            changed.addAll(dismissLost());
        }
        Honeycomb next = forgotten.peek();
        if (next != null) {
            changed.addAll(leaveOut(next));
        }
        return changed;
    }

    private List<Tombstone> dismissLost() {
        List<Tombstone> some = new ArrayList<>();
        position = tombstones.forSome(position, SLICE, some::add);
        List<Tombstone> changed = tombstones.dismiss(lost, some, keepers);
        if (position == 0) {
            lost.clear();
        }
        return changed;
    }

    private List<Tombstone> leaveOut(Honeycomb honeycomb) {
        honeycombs.errandQueues().discardDrops(honeycomb, SLICE);
        List<Tombstone> changed = tombstones.leaveOut(honeycomb.number(), SLICE, keepers);
        if (changed.isEmpty() && honeycomb.errandQueue().drops().pending() == 0) {
            forgotten.remove();
        }
        return changed;
    }
}
