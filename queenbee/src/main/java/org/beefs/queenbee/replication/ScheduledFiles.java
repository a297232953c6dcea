package org.beefs.queenbee.replication;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Files that are to be looked at when their time has come. Nanoseconds of the boot clock. Belongs to the namespace
 * thread.
 */
final class ScheduledFiles {
    /** How much more than twice what waits may be in the queue, before it is made anew. */
    private static final int SLACK = 1024;

    private record Due(long at, long inode) {}

    private final Map<Long, Long> times = new HashMap<>();

    /**
     * Files by their time; also those that do not wait any more, or for less, until that time has come. Not many more
     * than wait.
     */
    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::at));

    /** Adds a file; one that waits already does not wait for longer. */
    void add(long inode, long at) {
        Long known = times.get(inode);
        if (known == null || at < known) {
            times.put(inode, at);
            queue.add(new Due(at, inode));
            dropRest();
        }
    }

    /** It does not wait any more. */
    void remove(long inode) {
        if (times.remove(inode) != null) {
            dropRest();
        }
    }

    boolean has(long inode) {
        return times.containsKey(inode);
    }

    int size() {
        return times.size();
    }

    /** Entries in the queue, also of files that do not wait any more. */
    int queued() {
        return queue.size();
    }

    /** Whether the time of any has come. */
    boolean isAnyDue(long now) {
        Due first = first();
        return first != null && first.at() <= now;
    }

    /** Takes a file whose time has come; null when there is none. */
    @Nullable
    Long next(long now) {
        Due first = first();
        if (first == null || first.at() > now) {
            return null;
        }
        queue.remove();
        times.remove(first.inode());
        return first.inode();
    }

    /** The first file that waits; those before it that do not any more leave the queue. */
    private @Nullable Due first() {
        Due first = queue.peek();
        while (first != null && !isWaiting(first)) {
            queue.remove();
            first = queue.peek();
        }
        return first;
    }

    private boolean isWaiting(Due due) {
        Long at = times.get(due.inode());
        return at != null && at == due.at();
    }

    private void dropRest() {
        if (queue.size() > 2 * times.size() + SLACK) {
            queue.clear();
            times.forEach((inode, at) -> queue.add(new Due(at, inode)));
        }
    }
}
