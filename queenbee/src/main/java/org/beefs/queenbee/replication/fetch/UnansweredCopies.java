package org.beefs.queenbee.replication.fetch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * Files that honeycombs were asked to copy without an answer. A honeycomb that went away meanwhile may have the copy:
 * its inventory tells. Not known after a restart. Belongs to the namespace thread.
 */
public final class UnansweredCopies {
    private final Map<Honeycomb, Set<Long>> inodes = new HashMap<>();

    public void failed(FetchErrand errand) {
        inodes.computeIfAbsent(errand.honeycomb(), first -> new HashSet<>()).addAll(errand.inodes());
    }

    public void answered(FetchErrand errand) {
        Set<Long> unanswered = inodes.get(errand.honeycomb());
        if (unanswered != null) {
            errand.inodes().forEach(unanswered::remove);
        }
    }

    /** The honeycomb has told all that it has. */
    public void told(Honeycomb honeycomb) {
        inodes.remove(honeycomb);
    }

    /** Whether a honeycomb is away that may have made a copy of the file last. */
    public boolean mayHave(Honeycomb honeycomb, long inode) {
        return !honeycomb.isConnected()
                && inodes.getOrDefault(honeycomb, Set.of()).contains(inode);
    }
}
