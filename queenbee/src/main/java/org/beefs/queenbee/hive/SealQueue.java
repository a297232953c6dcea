package org.beefs.queenbee.hive;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Inodes whose newest version waits to be sealed, by how long they wait. One sync of a honeycomb's disk serves them
 * all, so nothing goes until the first has waited for the whole delay, and then the others go with it. Belongs to the
 * namespace thread.
 */
final class SealQueue {
    /** Inodes, each with when it began to wait (boot clock, ns), the oldest first. */
    private final Map<Long, Long> waiting = new LinkedHashMap<>();

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

    /** Somebody waits for one: all that wait go now. */
    void hurry() {
        hurried = !waiting.isEmpty();
    }

    void remove(long inode) {
        waiting.remove(inode);
    }

    /**
     * Takes those out that wait longest, at most {@code limit}, once the first has waited for {@code delay}; before,
     * none.
     */
    List<Long> take(long now, long delay, int limit) {
        Iterator<Long> oldest = waiting.values().iterator();
        if (!oldest.hasNext() || (!hurried && now - oldest.next() < delay)) {
            return List.of();
        }
        List<Long> taken = waiting.keySet().stream().limit(limit).toList();
        taken.forEach(waiting::remove);
        hurried &= !waiting.isEmpty();
        return taken;
    }
}
