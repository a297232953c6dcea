package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.replication.fetch.FetchErrand;

/**
 * What replication does of itself: in each pass of the namespace thread a slice of what is due, and more at each tick.
 * Belongs to the namespace thread.
 */
public final class Passes {
    /**
     * Files whose time has come that are looked at in one pass; the next pass follows at once. To choose places for one
     * takes some 15 microseconds in a hive of a thousand desktops, and five times that in a program that has just
     * begun; everybody else waits meanwhile.
     */
    private static final int MOST_DUE = 16;

    /** As long as files lack replicas, all are looked at again after so long: there may be room by now. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final ReplicationParts parts;
    private long sweptAt;

    /** Whether the way through the namespace has gone on since the last tick. */
    private boolean hasGoneOn;

    Passes(ReplicationParts parts) {
        this.parts = parts;
    }

    /** Called now and then. */
    public void tick() {
        hasGoneOn = false;
        parts.targets.refresh();
        if (parts.absences.tick()) {
            parts.sweep.begin();
        }
        parts.relief.tick();
        parts.relocation.tick();
        parts.wishes.tick();
        parts.securing.tick();
        parts.healing.tick();
        parts.census.tick();
        parts.throughput.tick(parts.fetches.underWay() > 0);
        parts.fetches.tick();
        if (parts.fetches.takeDrained()) {
            parts.sweep.begin();
        }
        if (!parts.sweep.isRunning() && (parts.census.isAnythingLeft() || isTimeToLookAgain())) {
            sweptAt = parts.clock.bootNanos();
            parts.sweep.begin();
            parts.census.refresh();
        }
        parts.sweep.tick();
    }

    /** Requests to be sent now; they count as under way. Asked in each pass. */
    public List<FetchErrand> begin() {
        parts.promotion.carryOut();
        goThrough();
        parts.checkpoints.due(MOST_DUE).stream()
                .map(parts.namespace::find)
                .filter(Objects::nonNull)
                .forEach(parts.checkpointCopies::begin);
        lookAtDue();
        List<FetchErrand> begun = new ArrayList<>(parts.securing.begin());
        begun.addAll(parts.fetches.begin());
        return begun;
    }

    /** Whether there is more to be looked at than could be in this pass. */
    public boolean hasMore() {
        return isAnyDue()
                || parts.checkpoints.isAnyDue()
                || parts.sweep.hasMore()
                || parts.census.hasMore()
                || parts.relocation.hasMore()
                || parts.remains.hasMore();
    }

    /** Whether files that had no room for a replica should be looked at again: there may be some by now. */
    private boolean isTimeToLookAgain() {
        return parts.census.mayAnyLack() && parts.clock.bootNanos() - sweptAt >= LOOK_AGAIN.toNanos();
    }

    /**
     * The way through the namespace stops until all that it has found was looked at. It goes on a little all the same,
     * as others find something again and again.
     */
    private void goThrough() {
        if (!isAnyDue() || !hasGoneOn) {
            parts.sweep.step();
            hasGoneOn = true;
        }
        parts.census.step();
        parts.relocation.step();
        parts.remains.step();
    }

    private boolean isAnyDue() {
        return parts.scheduled.isAnyDue(parts.clock.bootNanos());
    }

    private void lookAtDue() {
        long now = parts.clock.bootNanos();
        for (int looked = 0; looked < MOST_DUE; looked++) {
            Long due = parts.scheduled.next(now);
            if (due == null) {
                return;
            }
            Inode inode = parts.namespace.find(due);
            if (inode != null) {
                lookAt(inode);
            }
        }
    }

    private void lookAt(Inode inode) {
        if (parts.upkeep.waitsForLost(inode)) {
            return;
        }
        if (inode.dirty() && parts.checkpoints.isAnyWanted(inode.number())) {
            parts.checkpointCopies.begin(inode);
        } else {
            parts.upkeep.lookWhenSealed(inode);
        }
    }
}
