package org.beefs.queenbee.hive;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Inodes whose newest version waits to be sealed, by how long they wait. One sync of a honeycomb's disk serves them
 * all, so nothing goes until the first has waited for the whole delay, and then the others go with it; only what is
 * urgent goes before. Belongs to the namespace thread.
 */
final class SealQueue {
    /** Inodes, each with when it began to wait (boot clock, ns), the oldest first. */
    private final Map<Long, Long> waiting = new LinkedHashMap<>();

    /** Inodes among these whose seals go without waiting for others. */
    private final Set<Long> urgent = new LinkedHashSet<>();

    private boolean hurried;

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean has(long inode) {
        return waiting.containsKey(inode);
    }

    /**
     * Adds an inode. One that waits already keeps its place: a file that is written all the time is sealed now and
     * then.
     */
    void add(long inode, long now) {
        waiting.putIfAbsent(inode, now);
    }

    /** All seals that wait go now, because somebody waits for one of them. */
    void hurry() {
        hurried = !waiting.isEmpty();
    }

    /** The inode's seal goes now if it waits, without the others. */
    void hurry(long inode) {
        if (waiting.containsKey(inode)) {
            urgent.add(inode);
        }
    }

    void remove(long inode) {
        waiting.remove(inode);
        urgent.remove(inode);
    }

    /**
     * Takes those out that wait longest, at most {@code limit}, once the first has waited for {@code delay}; before,
     * none but the urgent ones.
     */
    List<Long> take(long now, long delay, int limit) {
        List<Long> taken = next(now, delay).limit(limit).toList();
        taken.forEach(this::remove);
        hurried &= !waiting.isEmpty();
        return taken;
    }

    private Stream<Long> next(long now, long delay) {
        Iterator<Long> oldest = waiting.values().iterator();
        if (hurried || (oldest.hasNext() && now - oldest.next() >= delay)) {
            return waiting.keySet().stream();
        }
        return urgent.stream();
    }
}
