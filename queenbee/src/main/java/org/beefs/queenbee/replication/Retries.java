package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.replication.fetch.Pauses;

/**
 * Has files looked at again whose copies have failed, after a pause that is longer with each failure. In memory only,
 * at most one number for each file that lacks a copy. Belongs to the namespace thread.
 */
final class Retries {
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final ScheduledFiles scheduled;
    private final Clock clock;
    private final Pauses pauses;

    /** How often copying a file has failed since it succeeded. */
    private final Map<Long, Integer> failures = new HashMap<>();

    /** @param scheduled where they wait for the end of the pause */
    Retries(ScheduledFiles scheduled, Clock clock, Pauses pauses) {
        this.scheduled = scheduled;
        this.clock = clock;
        this.pauses = pauses;
    }

    /** A copy of the file has failed. */
    void failed(long inode) {
        int times = failures.merge(inode, 1, Integer::sum);
        scheduled.add(inode, clock.bootNanos() + pauses.after(times));
    }

    /** Whether the last copy of the file has failed. */
    boolean hasFailed(long inode) {
        return failures.containsKey(inode);
    }

    /** A copy has succeeded, or the file is gone: the next failure is the first one. */
    void forget(long inode) {
        failures.remove(inode);
    }

    /** Whatever failures came from may be over. */
    void forgetAll() {
        failures.clear();
    }
}
