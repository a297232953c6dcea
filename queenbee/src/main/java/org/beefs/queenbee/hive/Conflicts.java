package org.beefs.queenbee.hive;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.queenbee.state.PendingConflict;
import org.jspecify.annotations.Nullable;

/**
 * Replicas of a honeycomb that are to become the contents of other files, in the order in which it is told so. Bounded
 * by the number of files. Belongs to the namespace thread.
 */
public final class Conflicts {
    /** Conflict copies by the replica's inode. */
    private final Map<Long, ConflictCopy> waiting = new LinkedHashMap<>();

    /** Whether the replica of the inode is to become another file's content. */
    public boolean has(long inode) {
        return waiting.containsKey(inode);
    }

    /** What the replica of the inode is to become; null for others. */
    public @Nullable ConflictCopy find(long inode) {
        return waiting.get(inode);
    }

    /** The files that replicas become, or have become; they have no names yet. */
    public Set<Long> copies() {
        return waiting.values().stream().map(ConflictCopy::copy).collect(Collectors.toSet());
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(ConflictCopy conflict) {
        waiting.put(conflict.inode(), conflict);
    }

    /** False if there was none. */
    boolean remove(long inode) {
        return waiting.remove(inode) != null;
    }

    /** The replicas that have waited for longest, of those that may be told. */
    List<ConflictCopy> next(int most, Predicate<ConflictCopy> mayBeTold) {
        return waiting.values().stream().filter(mayBeTold).limit(most).toList();
    }

    /** All, for catalogs. */
    Stream<PendingConflict> records(int honeycomb) {
        return waiting.values().stream()
                .map(conflict -> PendingConflict.newBuilder()
                        .setHoneycomb(honeycomb)
                        .setInode(conflict.inode())
                        .setConflict(conflict.toRecord())
                        .build());
    }

    /** Moves a replica to the end of the queue. */
    void postpone(long inode) {
        ConflictCopy conflict = waiting.remove(inode);
        if (conflict != null) {
            waiting.put(inode, conflict);
        }
    }
}
