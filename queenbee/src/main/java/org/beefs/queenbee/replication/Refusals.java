package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * Honeycombs whose disks have just refused a new replica: whatever room they report, they are passed over for a while.
 * In memory only, at most one entry for each honeycomb. Belongs to the namespace thread.
 */
final class Refusals {
    static final Duration MEMORY = Duration.ofMinutes(5);

    private final Clock clock;

    /** When each honeycomb refused last (boot clock, ns). */
    private final Map<Honeycomb, Long> refused = new HashMap<>();

    Refusals(Clock clock) {
        this.clock = clock;
    }

    void add(Honeycomb honeycomb) {
        refused.put(honeycomb, clock.bootNanos());
    }

    boolean has(Honeycomb honeycomb) {
        Long when = refused.get(honeycomb);
        return when != null && clock.bootNanos() - when < MEMORY.toNanos();
    }
}
