package org.beefs.queenbee.replication.placement;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;
import org.jspecify.annotations.Nullable;

/**
 * Honeycombs whose disks have just refused a replica. Whatever room they report, those that refused a new one are
 * passed over for a while; one that refused the next version of what it has may have room for smaller files. In memory
 * only. Belongs to the namespace thread.
 */
public final class Refusals {
    static final Duration MEMORY = Duration.ofMinutes(5);

    /** Replicas that are remembered; the one that was refused longest ago goes first. */
    private static final int MOST = 4096;

    /** A replica that is not brought up to date. */
    private record Replica(int honeycomb, long inode) {}

    private final Clock clock;

    /** When each honeycomb refused a new replica last (boot clock, ns). */
    private final Map<Honeycomb, Long> refused = new HashMap<>();

    /** When the next version of each replica was refused last (boot clock, ns). */
    private final SequencedMap<Replica, Long> outdated = new LinkedHashMap<>();

    public Refusals(Clock clock) {
        this.clock = clock;
    }

    /** It has refused a new replica. */
    public void add(Honeycomb honeycomb) {
        refused.put(honeycomb, clock.bootNanos());
    }

    /** It has refused the next version of a replica. */
    public void addNext(Honeycomb honeycomb, long inode) {
        outdated.putLast(new Replica(honeycomb.number(), inode), clock.bootNanos());
        if (outdated.size() > MOST) {
            outdated.pollFirstEntry();
        }
    }

    /** It has taken a replica, or has it no more. */
    public void forget(Honeycomb honeycomb, long inode) {
        outdated.remove(new Replica(honeycomb.number(), inode));
    }

    /** It has registered: there may be room by now. */
    public void forgetNext(Honeycomb honeycomb) {
        outdated.keySet().removeIf(replica -> replica.honeycomb() == honeycomb.number());
    }

    /** Whether it has refused a new replica lately. */
    boolean has(Honeycomb honeycomb) {
        return isRecent(refused.get(honeycomb));
    }

    /** Whether it has refused the next version of that replica. */
    public boolean hasNext(Honeycomb honeycomb, long inode) {
        return !outdated.isEmpty() && outdated.containsKey(new Replica(honeycomb.number(), inode));
    }

    /** Whether it has done so lately. */
    public boolean hasNextLately(Honeycomb honeycomb, long inode) {
        return isRecent(outdated.get(new Replica(honeycomb.number(), inode)));
    }

    private boolean isRecent(@Nullable Long when) {
        return when != null && clock.bootNanos() - when < MEMORY.toNanos();
    }
}
