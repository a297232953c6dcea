package org.beefs.queenbee.replication.placement;

import java.time.Duration;
import java.util.SequencedMap;
import org.beefs.common.collection.EldestFirst;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycomb;

/**
 * Replicas of which their disks have just refused a version: these may have room for smaller files. In memory only.
 * Belongs to the namespace thread.
 */
public final class RefusedVersions {
    private static final Duration MEMORY = FullDisks.MEMORY;

    /** Replicas that are remembered; the one that was refused longest ago goes first. */
    private static final int MOST = 4096;

    private record Replica(int honeycomb, long inode) {}

    private final Clock clock;

    /** When a version of each was refused last (boot clock, ns). */
    private final SequencedMap<Replica, Long> refused = EldestFirst.map(MOST);

    public RefusedVersions(Clock clock) {
        this.clock = clock;
    }

    /** The honeycomb has refused a version of that replica. */
    public void add(Honeycomb honeycomb, long inode) {
        refused.putLast(new Replica(honeycomb.number(), inode), clock.bootNanos());
    }

    /** The honeycomb has taken a version of that replica, has it no more, or is to get it anew. */
    public void forget(Honeycomb honeycomb, long inode) {
        refused.remove(new Replica(honeycomb.number(), inode));
    }

    /** The honeycomb has registered: there may be room by now. */
    public void forget(Honeycomb honeycomb) {
        refused.keySet().removeIf(replica -> replica.honeycomb() == honeycomb.number());
    }

    /** Whether the honeycomb has refused a version of that replica. */
    public boolean has(Honeycomb honeycomb, long inode) {
        return !refused.isEmpty() && refused.containsKey(new Replica(honeycomb.number(), inode));
    }

    /** Whether it has done so lately. */
    public boolean hasLately(Honeycomb honeycomb, long inode) {
        Long when = refused.isEmpty() ? null : refused.get(new Replica(honeycomb.number(), inode));
        return when != null && clock.bootNanos() - when < MEMORY.toNanos();
    }
}
