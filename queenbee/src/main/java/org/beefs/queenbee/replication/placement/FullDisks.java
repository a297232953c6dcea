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

    /** So often it has to be tried in vain before nobody waits for its room any more. */
    private static final int TRIES = 3;

    private final Clock clock;

    /**
     * What a honeycomb has refused since it last took a new replica.
     *
     * @param times that it was tried; what is refused while it is remembered counts as once, and as none after it has
     *     taken something
     * @param last when it refused last (boot clock, ns)
     */
    private record Refusals(int times, long last) {}

    private final Map<Honeycomb, Refusals> refused = new HashMap<>();

    public FullDisks(Clock clock) {
        this.clock = clock;
    }

    /** It has refused a new replica. */
    public void add(Honeycomb honeycomb) {
        Refusals before = refused.get(honeycomb);
        int times = before == null ? 0 : before.times;
        refused.put(honeycomb, new Refusals(has(honeycomb) ? times : times + 1, clock.bootNanos()));
    }

    /** It has taken a new replica: refusals count anew, but are remembered as long. */
    public void hasTaken(Honeycomb honeycomb) {
        refused.computeIfPresent(honeycomb, (_, before) -> new Refusals(0, before.last));
    }

    /** Whether it has done so lately. */
    boolean has(Honeycomb honeycomb) {
        Refusals last = refused.get(honeycomb);
        return last != null && clock.bootNanos() - last.last < MEMORY.toNanos();
    }

    /** Whether it has done so again and again, and taken none since. */
    boolean hasRepeatedly(Honeycomb honeycomb) {
        Refusals last = refused.get(honeycomb);
        return last != null && last.times >= TRIES;
    }
}
