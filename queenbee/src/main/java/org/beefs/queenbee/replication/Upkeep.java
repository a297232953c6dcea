package org.beefs.queenbee.replication;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.replication.departure.Departures;
import org.beefs.queenbee.replication.fetch.BackgroundFetches;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.placement.ReplicaLevels;
import org.beefs.queenbee.replication.placement.Settings;
import org.beefs.queenbee.replication.primary.Promotion;

/**
 * Does about a file's replicas what can be done now, and has the file looked at again when more can be: a committed one
 * after its time to coherence, and one that was dirty then when it is clean and on its primary's disk. Belongs to the
 * namespace thread.
 */
public final class Upkeep {
    private final Honeycombs honeycombs;
    private final Clock clock;
    private final Settings settings;
    private final ScheduledFiles scheduled;
    private final Retries retries;
    private final Checkpoints checkpoints;
    private final BackgroundFetches fetches;
    private final Promotion promotion;
    private final Departures departures;
    private final ReplicaSets sets;

    /**
     * Files whose time came when they were dirty, or not on their primary's disk. They follow when they are clean and
     * on disk.
     */
    private final Set<Long> overdue = new HashSet<>();

    /** @param scheduled where files wait for their time */
    Upkeep(
            Honeycombs honeycombs,
            Clock clock,
            Settings settings,
            ScheduledFiles scheduled,
            Retries retries,
            Checkpoints checkpoints,
            BackgroundFetches fetches,
            Promotion promotion,
            Departures departures,
            ReplicaSets sets) {
        this.honeycombs = honeycombs;
        this.clock = clock;
        this.settings = settings;
        this.scheduled = scheduled;
        this.retries = retries;
        this.checkpoints = checkpoints;
        this.fetches = fetches;
        this.promotion = promotion;
        this.departures = departures;
        this.sets = sets;
    }

    /** A new version was committed. Its time counts from the first one that secondaries lack. */
    public void committed(Inode inode) {
        checkpoints.committed(inode);
        sets.dropExtras(inode);
        if (!overdue.contains(inode.number())) {
            scheduled.add(
                    inode.number(),
                    clock.bootNanos() + settings.timeToCoherence(inode).toNanos());
        }
    }

    /** The newest version is on the primary's disk. What is written again already follows at its next seal. */
    public void sealed(Inode inode) {
        if (!inode.dirty() && (overdue.remove(inode.number()) || !scheduled.has(inode.number()))) {
            look(inode);
        }
    }

    /** More or fewer replicas are wanted, or sooner. */
    public void changed(Inode inode) {
        if (inode.isRegular()) {
            lookSoon(inode);
        }
    }

    /** As {@link #changed}; what is being written, or is not on disk yet, follows in its own time. */
    void changedAtRest(Inode inode) {
        if (!inode.dirty() && !inode.unsealed()) {
            changed(inode);
        }
    }

    /** The file is gone. */
    void removed(long inode) {
        scheduled.remove(inode);
        overdue.remove(inode);
        retries.forget(inode);
    }

    /**
     * Takes a file that may lack something. One that waits for its time to be copied waits on, unless its primary is
     * lost: that time may be a day off.
     */
    void found(Inode inode) {
        if (mayGoOn(inode) && (promotion.isReplaceable(inode) || isSomethingDue(inode))) {
            lookSoon(inode);
        }
    }

    private boolean isSomethingDue(Inode inode) {
        return inode.isBlank() ? departures.mayGo(inode) : !scheduled.has(inode.number()) && lacks(inode);
    }

    /** Whether a file can be on another desktop than its own: its content is, or it has none. */
    private static boolean mayGoOn(Inode inode) {
        return ReplicaSets.isCopyable(inode) || inode.isBlank();
    }

    /** A file whose primary is lost goes on elsewhere only when nobody is copying it any more. */
    void copyEnded(Inode inode) {
        if (ReplicaSets.isCopyable(inode) && promotion.isReplaceable(inode)) {
            lookSoon(inode);
        }
    }

    /** A checkpoint of the file is elsewhere: the other secondaries get it from there. */
    void checkpointMade(Inode inode) {
        retries.forget(inode.number());
        fetchMissing(inode);
    }

    /** Whether something could be done about a file's replicas now. */
    public boolean lacks(Inode inode) {
        return promotion.isReplaceable(inode) || (!inode.dirty() && sets.differs(inode));
    }

    /**
     * Whether a file has fewer current replicas than it should have by now. One that is being written, or waits for its
     * time to coherence, need not have more than it has, unless lost desktops alone have it.
     */
    public boolean isUnder(Inode inode, ReplicaLevels levels) {
        return levels.isUnder(inode) && (levels.current(inode) == 0 || !(inode.dirty() || isInTime(inode)));
    }

    private boolean isInTime(Inode inode) {
        return scheduled.has(inode.number()) && !retries.hasFailed(inode.number()) && !promotion.isReplaceable(inode);
    }

    /** Has a file whose primary is lost go on elsewhere; one that cannot waits on. Tells whether it does. */
    boolean waitsForLost(Inode inode) {
        boolean waits = mayGoOn(inode) && promotion.isReplaceable(inode) && !promotion.replaceLost(inode);
        if (waits) {
            scheduled.add(inode.number(), clock.bootNanos() + Retries.LONGEST_PAUSE.toNanos());
        }
        return waits;
    }

    /** Does about a file's replicas what can be done now, or has it done as soon as it is clean and on disk. */
    void lookWhenSealed(Inode inode) {
        if (!inode.dirty() && !inode.unsealed()) {
            look(inode);
            return;
        }
        overdue.add(inode.number());
        if (!inode.dirty()) {
            honeycombs.of(inode).errandQueue().hurrySeals();
        }
    }

    /** Does about a file's replicas what can be done now; nothing as long as it is dirty. */
    void look(Inode inode) {
        if (inode.isBlank()) {
            departures.letGo(inode);
        }
        if (!ReplicaSets.isCopyable(inode) || inode.dirty()) {
            return;
        }
        sets.dropUseless(inode);
        sets.trim(inode);
        sets.chooseMissing(inode);
        fetchMissing(inode);
        departures.letGo(inode);
    }

    /** Files that wait for their time, or to be on disk. */
    long waiting() {
        return (long) scheduled.size() + overdue.size();
    }

    private void lookSoon(Inode inode) {
        scheduled.add(inode.number(), clock.bootNanos());
    }

    private void fetchMissing(Inode inode) {
        Stream.concat(departures.staying(inode).stream(), departures.extras(inode).stream())
                .filter(honeycomb ->
                        honeycomb.isConnected() && !inode.secondaries().isCurrent(honeycomb.number()))
                .filter(fetches::admits)
                .forEach(honeycomb -> fetches.add(honeycomb, inode.number()));
    }
}
