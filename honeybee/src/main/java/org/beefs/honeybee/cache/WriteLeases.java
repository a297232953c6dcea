package org.beefs.honeybee.cache;

import java.util.HashMap;
import java.util.Map;

/** The files on which this desktop has the write lease. Not thread-safe. */
final class WriteLeases {
    private final Map<Long, Long> held = new HashMap<>();
    private long last;

    /** A lease was granted. One that is held already goes on. */
    void add(long inode) {
        held.computeIfAbsent(inode, granted -> ++last);
    }

    boolean has(long inode) {
        return held.containsKey(inode);
    }

    /** The number of the lease, which is another one when it was away in between; 0 when there is none. */
    long number(long inode) {
        return held.getOrDefault(inode, 0L);
    }

    void remove(long inode) {
        held.remove(inode);
    }

    void clear() {
        held.clear();
    }

    boolean isEmpty() {
        return held.isEmpty();
    }
}
