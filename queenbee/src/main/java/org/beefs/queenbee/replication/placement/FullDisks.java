package org.beefs.queenbee.replication.placement;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * Honeycombs whose disks have just refused a new replica, whatever room they report: they are passed over for a while.
 * In memory only. Belongs to the namespace thread.
 */
public final class FullDisks {
    static final Duration MEMORY = Duration.ofMinutes(5);

    private final Clock clock;

    /** When each honeycomb refused a new replica last (boot clock, ns). */
    private final Map<Honeycomb, Long> refused = new HashMap<>();

    public FullDisks(Clock clock) {
        this.clock = clock;
    }

    /** It has refused a new replica. */
    public void add(Honeycomb honeycomb) {
        refused.put(honeycomb, clock.bootNanos());
    }

    /** Whether it has done so lately. */
    boolean has(Honeycomb honeycomb) {
        Long when = refused.get(honeycomb);
        return when != null && clock.bootNanos() - when < MEMORY.toNanos();
    }
}
