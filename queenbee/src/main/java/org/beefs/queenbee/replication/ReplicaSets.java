package org.beefs.queenbee.replication;

import java.util.List;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Secondaries;
import org.beefs.queenbee.replication.departure.Departures;
import org.beefs.queenbee.replication.fetch.BackgroundFetches;
import org.beefs.queenbee.replication.placement.ReplicaLevels;
import org.beefs.queenbee.replication.placement.Settings;
import org.beefs.queenbee.replication.placement.Targets;

/**
 * The honeycombs that have a file's secondaries, and those that should: chooses secondaries that are missing, and lets
 * those go that are too many. That they get the content is up to {@link Replication}. Belongs to the namespace thread.
 */
public final class ReplicaSets {
    private final Honeycombs honeycombs;
    private final Settings settings;
    private final Targets targets;
    private final BackgroundFetches fetches;
    private final Departures departures;
    private final Mutator mutator;

    ReplicaSets(
            Honeycombs honeycombs,
            Settings settings,
            Targets targets,
            BackgroundFetches fetches,
            Departures departures,
            Mutator mutator) {
        this.honeycombs = honeycombs;
        this.settings = settings;
        this.targets = targets;
        this.fetches = fetches;
        this.departures = departures;
        this.mutator = mutator;
    }

    /** Whether a file has content that can be copied. */
    static boolean isCopyable(Inode inode) {
        return inode.isRegular() && inode.version() != 0 && inode.links() > 0;
    }

    /** Whether a honeycomb has the newest version of a file, and gets the next ones; also of a file without content. */
    public boolean isCurrentIn(Inode inode, Honeycomb honeycomb) {
        return !isCopyable(inode)
                || inode.honeycomb() == honeycomb.number()
                || (inode.secondaries().isCurrent(honeycomb.number())
                        && !inode.secondaries().isExtra(honeycomb.number())
                        && !inode.dirty());
    }

    /** Whether a honeycomb is to get the newest version of a file, and the next ones. */
    public boolean isComingTo(Inode inode, Honeycomb honeycomb) {
        return inode.secondaries().has(honeycomb.number())
                && !inode.secondaries().isExtra(honeycomb.number());
    }

    /**
     * Whether fewer replicas have the newest version of a file than should. Those of lost desktops do not count. Who
     * writes the file does not matter: should that be lost with the primary, this version is what is left.
     */
    public boolean lacksCurrent(Inode inode) {
        long current = departures.staying(inode).stream()
                .filter(honeycomb -> inode.secondaries().isCurrent(honeycomb.number())
                        && !honeycomb.absence().isGivenUp())
                .count();
        int primaries = departures.primaryLeaves(inode) ? 0 : 1;
        return isCopyable(inode) && primaries + current < settings.replicas(inode);
    }

    /** What files have and should have, as things are now. */
    public ReplicaLevels levels() {
        return new ReplicaLevels(honeycombs, settings);
    }

    /** Whether the set is not what it should be, and something could be done about it now. */
    boolean differs(Inode inode) {
        return !isComplete(inode) && differsInAnything(inode);
    }

    /**
     * Whether a file has what it should have, as most do. This is asked of each on each walk through the namespace, so
     * it costs little.
     */
    private boolean isComplete(Inode inode) {
        Secondaries secondaries = inode.secondaries();
        return secondaries.extras() == 0
                && secondaries.countCurrent() == secondaries.size()
                && secondaries.size() + 1 == settings.replicas(inode)
                && !departures.primaryLeaves(inode)
                && secondaries
                        .honeycombs()
                        .noneMatch(number -> departures.isLostOrLeaves(inode, honeycombs.numbered(number)));
    }

    private boolean differsInAnything(Inode inode) {
        int surplus = surplus(inode);
        return surplus > 0
                || !departures.lost(inode).isEmpty()
                || !departures.missed(inode).isEmpty()
                || departures.staying(inode).stream().anyMatch(honeycomb -> canGet(inode, honeycomb))
                || departures.extras(inode).stream()
                        .anyMatch(honeycomb -> isOutdated(inode, honeycomb) || canGet(inode, honeycomb))
                || (surplus < 0
                        && (targets.haveRoomFor(inode)
                                || !departures.spare(inode).isEmpty()))
                || departures.mayGo(inode);
    }

    private boolean canGet(Inode inode, Honeycomb honeycomb) {
        return honeycomb.canCopy() && !inode.secondaries().isCurrent(honeycomb.number()) && fetches.admits(honeycomb);
    }

    /** Removes what lost desktops had, what sleeping ones have yet to get, and extra replicas of old versions. */
    void dropUseless(Inode inode) {
        departures.lost(inode).forEach(honeycomb -> departures.remove(inode, honeycomb));
        departures.missed(inode).forEach(honeycomb -> departures.remove(inode, honeycomb));
        departures.extras(inode).stream()
                .filter(honeycomb -> isOutdated(inode, honeycomb))
                .forEach(honeycomb -> departures.remove(inode, honeycomb));
    }

    /** Removes those that are too many; answers how many were, below 0 how many are missing. */
    int trim(Inode inode) {
        int surplus = surplus(inode);
        departures.staying(inode).stream()
                .sorted(Departures.firstToGo(inode))
                .limit(Math.max(0, surplus))
                .forEach(honeycomb -> departures.remove(inode, honeycomb));
        return surplus;
    }

    void chooseMissing(Inode inode) {
        choose(inode, -surplus(inode));
    }

    /**
     * Chooses secondaries for a file of which somebody waits until enough hold it: those on desktops that are away do
     * not count.
     */
    void chooseSecurable(Inode inode) {
        long there = departures.staying(inode).stream()
                .filter(Honeycomb::isConnected)
                .count();
        choose(inode, Math.max(-surplus(inode), settings.pFactor(inode) - 1 - (int) there));
    }

    /** Honeycombs that hold an extra replica come first: they have the content already. */
    private void choose(Inode inode, int missing) {
        if (missing > 0) {
            List<Honeycomb> kept =
                    departures.spare(inode).stream().limit(missing).toList();
            kept.forEach(honeycomb -> keepExtra(inode, honeycomb));
            targets.choose(inode, missing - kept.size()).forEach(honeycomb -> add(inode, honeycomb));
        }
    }

    /** The file is to have a replica in that honeycomb, which has none of it, or an extra one. */
    void addOrKeepExtra(Inode inode, Honeycomb honeycomb) {
        if (inode.secondaries().isExtra(honeycomb.number())) {
            keepExtra(inode, honeycomb);
        } else {
            add(inode, honeycomb);
        }
    }

    /** The file is to have a replica in that honeycomb beyond those that it should have. */
    void addExtra(Inode inode, Honeycomb honeycomb) {
        add(inode, honeycomb);
        mutator.apply(new Mutation.MarkExtra(inode.number(), honeycomb.number(), true));
    }

    /** An extra replica is one of those that the file should have from now on. */
    private void keepExtra(Inode inode, Honeycomb honeycomb) {
        mutator.apply(new Mutation.MarkExtra(inode.number(), honeycomb.number(), false));
    }

    private void add(Inode inode, Honeycomb honeycomb) {
        targets.promise(honeycomb, inode);
        honeycombs.errandQueues().keep(honeycomb, inode.number());
        mutator.apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), 0));
    }

    /** A secondary is none of the file's any more, and its honeycomb is told to remove it. */
    public void remove(Inode inode, Honeycomb honeycomb) {
        departures.remove(inode, honeycomb);
    }

    /** Drops the extra replicas, which hold an old version now: who wants the new one reads it where it is. */
    void dropExtras(Inode inode) {
        inode.secondaries()
                .extra()
                .mapToObj(honeycombs::numbered)
                .forEach(honeycomb -> departures.remove(inode, honeycomb));
    }

    /** Whether a secondary holds an old version. */
    private static boolean isOutdated(Inode inode, Honeycomb honeycomb) {
        return inode.versionIn(honeycomb.number()) != 0 && !inode.secondaries().isCurrent(honeycomb.number());
    }

    /**
     * How many secondaries the file has beyond those that it should have; below 0 when it lacks some. Replicas that are
     * to leave do not count. Without a sound primary none is too many: one of them has to take its place, should it not
     * come back.
     */
    private int surplus(Inode inode) {
        int primaries = departures.primaryLeaves(inode) ? 0 : 1;
        int surplus = primaries + departures.staying(inode).size() - settings.replicas(inode);
        return honeycombs.of(inode).isSound(inode.number()) ? surplus : Math.min(0, surplus);
    }
}
