package org.beefs.queenbee.lease;

import java.util.HashMap;
import java.util.Map;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * What is being recalled, for however many requests: no lease on it is granted meanwhile. Of entries it is the whole
 * directory, so that a holder may give its lease up by its answer without having got it anew on the way. As large as
 * what the parked requests touch, and what holders have under lease that nobody waits for.
 */
final class UnderRecall {
    private final Map<Long, Integer> directories = new HashMap<>();
    private final Map<Long, Integer> inodes = new HashMap<>();

    /** Sessions from which everything is being recalled, each with the number of requests for which it is. */
    private final Map<Session, Integer> sessions = new HashMap<>();

    boolean has(long inode, Lease lease) {
        return switch (lease) {
            case DIRECTORY -> directories.containsKey(inode);
            case ATTRIBUTES, WRITE, DELEGATION -> inodes.containsKey(inode);
        };
    }

    /** Whether an inode's attributes are being recalled, not only for this clearance. */
    boolean hasAttributes(long inode, @Nullable Clearance own) {
        int count = inodes.getOrDefault(inode, 0);
        return count > 1 || (count == 1 && (own == null || !own.inodes.contains(inode)));
    }

    /** Whether everything is being recalled from a session. */
    boolean hasEverythingOf(Session session) {
        return sessions.containsKey(session);
    }

    /** The clearance extends to all that the session has. */
    void addEverythingOf(Clearance clearance, Session session) {
        if (clearance.everythingOf == null) {
            clearance.everythingOf = session;
            sessions.merge(session, 1, Integer::sum);
        }
    }

    /** The clearance extends to what is touched. */
    void add(Clearance clearance, Touched touched) {
        for (Touched.Entry entry : touched.entries()) {
            if (clearance.entries.add(entry)) {
                directories.merge(entry.directory(), 1, Integer::sum);
            }
        }
        for (Inode inode : touched.inodes()) {
            if (clearance.inodes.add(inode.number())) {
                inodes.merge(inode.number(), 1, Integer::sum);
            }
        }
    }

    /** The clearance is of no use any more. */
    void remove(Clearance clearance) {
        clearance.entries.forEach(entry -> decrement(directories, entry.directory()));
        clearance.inodes.forEach(inode -> decrement(inodes, inode));
        clearance.entries.clear();
        clearance.inodes.clear();
        if (clearance.everythingOf != null) {
            decrement(sessions, clearance.everythingOf);
            clearance.everythingOf = null;
        }
    }

    private static <K> void decrement(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (k, count) -> count > 1 ? count - 1 : null);
    }
}
