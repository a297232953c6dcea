package org.beefs.queenbee.hive;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What one honeycomb has yet to be told. Bounded by the number of files, but for {@link Drops}. Belongs to the
 * namespace thread.
 */
public final class ErrandQueue {
    private final Drops drops;
    private final Conflicts conflicts = new Conflicts();

    /** Inodes whose replicas' state is wanted, in the order in which they are asked for. */
    private final Set<Long> examinations = new LinkedHashSet<>();

    private final SealQueue seals = new SealQueue();

    ErrandQueue(Drops drops) {
        this.drops = drops;
    }

    /** Its replicas that are to go. */
    public Drops drops() {
        return drops;
    }

    /** Its replicas that are to become other files' contents. */
    public Conflicts conflicts() {
        return conflicts;
    }

    Set<Long> examinations() {
        return examinations;
    }

    SealQueue seals() {
        return seals;
    }

    /** Somebody waits for a version to be sealed: all that wait for that go now. */
    public void hurrySeals() {
        seals.hurry();
    }

    /** Whether nothing is to be told, neither now nor in a while. */
    boolean isEmpty() {
        return conflicts.isEmpty() && drops.isEmpty() && examinations.isEmpty() && seals.isEmpty();
    }
}
