package org.beefs.queenbee.replication.departure;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.queenbee.hive.Honeycomb;

/** Replicas that somebody has chosen to leave their honeycombs. Belongs to the namespace thread. */
final class ChosenReplicas {
    /** Inodes, in the order in which they were chosen. */
    private final Map<Honeycomb, Set<Long>> inodes = new HashMap<>();

    void add(Honeycomb honeycomb, long inode) {
        inodes.computeIfAbsent(honeycomb, first -> new LinkedHashSet<>()).add(inode);
    }

    void remove(Honeycomb honeycomb, long inode) {
        Set<Long> all = inodes.get(honeycomb);
        if (all != null && all.remove(inode) && all.isEmpty()) {
            inodes.remove(honeycomb);
        }
    }

    boolean has(Honeycomb honeycomb, long inode) {
        return inodes.getOrDefault(honeycomb, Set.of()).contains(inode);
    }

    List<Long> of(Honeycomb honeycomb) {
        return List.copyOf(inodes.getOrDefault(honeycomb, Set.of()));
    }
}
