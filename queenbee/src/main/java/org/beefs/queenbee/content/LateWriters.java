package org.beefs.queenbee.content;

import java.util.HashMap;
import java.util.Map;
import org.beefs.common.time.Clock;

/**
 * Files that somebody may be writing although his session is over: it was ended before its lease, and his daemon may
 * live and not know. Nothing is concluded from his absence before the lease has passed. An entry goes with its file,
 * and when it is asked for after that, as each dirty file is before it becomes clean: so there are at most as many as
 * dirty files. Belongs to the namespace thread.
 */
final class LateWriters {
    private final Clock clock;

    /** Nanoseconds of the boot clock by inode. */
    private final Map<Long, Long> ends = new HashMap<>();

    LateWriters(Clock clock) {
        this.clock = clock;
    }

    /** Somebody may be writing the file until then. */
    void add(long inode, long until) {
        if (until > clock.bootNanos()) {
            ends.merge(inode, until, Math::max);
        }
    }

    /** The file is gone. */
    void forget(long inode) {
        ends.remove(inode);
    }

    int size() {
        return ends.size();
    }

    boolean mayWrite(long inode) {
        Long end = ends.get(inode);
        if (end != null && clock.isPast(end)) {
            ends.remove(inode);
            return false;
        }
        return end != null;
    }
}
