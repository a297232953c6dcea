package org.beefs.queenbee.replication;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.replication.departure.Departures;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.fetch.FetchErrand;
import org.beefs.queenbee.replication.fetch.UrgentFetches;
import org.beefs.queenbee.replication.placement.Settings;

/**
 * Knows on how many disks a file's content is, and has copies made at once for those who wait ({@link Securing}).
 * Belongs to the namespace thread.
 */
final class SecuringCopies {
    private final Honeycombs honeycombs;
    private final Settings settings;
    private final Departures departures;
    private final Checkpoints checkpoints;
    private final UrgentFetches fetches;
    private final Consumer<Inode> chooser;

    /** Honeycombs that could not copy something lately, and are not asked before the next tick. */
    private final Set<Honeycomb> failing = new HashSet<>();

    /** @param chooser gives a file the secondaries that it lacks */
    SecuringCopies(
            Honeycombs honeycombs,
            Settings settings,
            Departures departures,
            Checkpoints checkpoints,
            UrgentFetches fetches,
            Consumer<Inode> chooser) {
        this.honeycombs = honeycombs;
        this.settings = settings;
        this.departures = departures;
        this.checkpoints = checkpoints;
        this.fetches = fetches;
        this.chooser = chooser;
    }

    /** Whether as many honeycombs hold at least that version as have to. */
    boolean areEnough(Inode inode, long version) {
        return version == 0 || onDisks(inode, holders(inode, version)) >= settings.pFactor(inode);
    }

    /** How many honeycombs hold what these secondaries do: the primary's as well, unless it was given up. */
    int onDisks(Inode inode, List<Honeycomb> secondaries) {
        return secondaries.size() + (honeycombs.of(inode).absence().isGivenUp() ? 0 : 1);
    }

    /**
     * The honeycombs whose secondaries hold at least that version, on desktops that may come back. Extra ones do not
     * count: they may go at any time.
     */
    List<Honeycomb> holders(Inode inode, long version) {
        return inode.secondaries()
                .proper()
                .filter(number -> inode.versionIn(number) >= version)
                .mapToObj(honeycombs::numbered)
                .filter(honeycomb -> !honeycomb.absence().isGivenUp())
                .toList();
    }

    /**
     * Has a file copied for those who wait, unless it is being copied already.
     *
     * @param known whether the newest version is enough
     */
    void make(Inode inode, boolean known) {
        if (fetches.isUnderWay(inode.number())) {
            return;
        }
        chooser.accept(inode);
        Honeycomb keeper = inode.dirty() ? checkpoints.keeper(inode) : null;
        if (keeper != null && isAble(keeper)) {
            fetches.add(keeper, inode.number());
        } else if (!inode.dirty() || (known && inode.secondaries().countCurrent() > 0)) {
            spread(inode);
        } else {
            look(inode);
        }
    }

    /** Has as many secondaries copy the newest version as have to hold it. */
    private void spread(Inode inode) {
        int missing = settings.pFactor(inode) - onDisks(inode, holders(inode, inode.version()));
        candidates(inode).stream()
                .filter(honeycomb -> !inode.secondaries().isCurrent(honeycomb.number()))
                .limit(Math.max(0, missing))
                .forEach(honeycomb -> fetches.add(honeycomb, inode.number()));
    }

    /** Has a secondary look at the primary, and copy what it is now if that is no version yet. */
    private void look(Inode inode) {
        candidates(inode).stream().findFirst().ifPresent(honeycomb -> {
            checkpoints.want(inode.number(), honeycomb);
            fetches.add(honeycomb, inode.number());
        });
    }

    private List<Honeycomb> candidates(Inode inode) {
        return departures.staying(inode).stream().filter(this::isAble).toList();
    }

    private boolean isAble(Honeycomb honeycomb) {
        return honeycomb.isConnected() && !failing.contains(honeycomb);
    }

    /** Whether some of what has come of a file is being brought to a disk. */
    boolean areBroughtToDisk(long inode) {
        return fetches.isBroughtToDisk(inode);
    }

    /** Requests to be sent now; they count as under way. */
    List<FetchErrand> begin() {
        return fetches.begin();
    }

    /** A request was answered, or has failed as a whole. False when that does not count any more. */
    boolean ended(FetchErrand errand, boolean failed) {
        boolean counts = fetches.ended(errand);
        if (counts && failed) {
            failing.add(errand.honeycomb());
        }
        return counts;
    }

    /** A honeycomb has connected anew. */
    void connected(Honeycomb honeycomb) {
        fetches.restart(honeycomb);
        failing.remove(honeycomb);
    }

    /** Called now and then. */
    void tick() {
        failing.clear();
    }
}
