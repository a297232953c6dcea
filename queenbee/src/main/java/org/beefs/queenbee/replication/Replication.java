package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.hive.Absences;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Sweep;
import org.beefs.queenbee.replication.departure.Departures;
import org.beefs.queenbee.replication.departure.HoldingsSearch;
import org.beefs.queenbee.replication.departure.ReadReplicas;
import org.beefs.queenbee.replication.departure.Relief;
import org.beefs.queenbee.replication.departure.Relocation;
import org.beefs.queenbee.replication.departure.Wishes;
import org.beefs.queenbee.replication.fetch.BackgroundFetches;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.fetch.FetchErrand;
import org.beefs.queenbee.replication.fetch.HoneycombWork;
import org.beefs.queenbee.replication.fetch.Throughput;
import org.beefs.queenbee.replication.fetch.UnansweredCopies;
import org.beefs.queenbee.replication.placement.Refusals;
import org.beefs.queenbee.replication.placement.Settings;
import org.beefs.queenbee.replication.placement.Targets;
import org.beefs.queenbee.replication.placement.Unreached;
import org.beefs.queenbee.replication.primary.Healing;
import org.beefs.queenbee.replication.primary.Promotion;
import org.jspecify.annotations.Nullable;

/**
 * Has secondary replicas made. A committed file waits for its time to coherence; then its secondaries are chosen, if it
 * has too few, and their honeycombs are told to fetch the version. What nobody has committed lately, but lacks replicas
 * all the same, is found by going through the namespace whenever a honeycomb has come. Belongs to the namespace thread.
 */
public final class Replication {
    /**
     * Files whose time has come that are looked at in one pass; the next pass follows at once. To choose places for one
     * takes some 15 microseconds in a hive of a thousand desktops, and five times that in a program that has just
     * begun; everybody else waits meanwhile.
     */
    private static final int MOST_DUE = 16;

    static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** As long as files lack replicas, all are looked at again after so long: there may be room by now. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final Namespace namespace;
    private final Honeycombs honeycombs;
    private final Clock clock;
    private final Settings settings;
    private final Targets targets;
    private final Waiting waiting;
    private final Retries retries;
    private final Unreached unreached;
    private final Refusals refusals;
    private final UnansweredCopies unanswered;
    private final BackgroundFetches fetches;
    private final Promotion promotion;
    private final Checkpoints checkpoints;
    private final Absences absences;
    private final Departures departures;
    private final HoldingsSearch holdings;
    private final ReplicaSets sets;
    private final Relief relief;
    private final Relocation relocation;
    private final Census census;
    private final Securing securing;
    private final CheckpointCopies checkpointCopies;
    private final CopyResults copyResults;
    private final Healing healing;
    private final Wishes wishes;
    private final ReadReplicas readReplicas;
    private final Throughput throughput;

    /**
     * Files whose time came when they were dirty, or not on their primary's disk. They follow when they are clean and
     * on disk.
     */
    private final Set<Long> overdue = new HashSet<>();

    private final Sweep sweep;
    private long sweptAt;

    Replication(ReplicationParts parts) {
        namespace = parts.namespace;
        honeycombs = parts.honeycombs;
        clock = parts.clock;
        settings = parts.settings;
        targets = parts.targets;
        waiting = parts.waiting;
        retries = parts.retries;
        unreached = parts.unreached;
        refusals = parts.refusals;
        unanswered = parts.unanswered;
        fetches = parts.fetches;
        promotion = parts.promotion;
        checkpoints = parts.checkpoints;
        absences = parts.absences;
        departures = parts.departures;
        holdings = parts.holdings;
        sets = parts.sets;
        relief = parts.relief;
        census = parts.census;
        securing = parts.securing;
        readReplicas = parts.readReplicas;
        throughput = parts.throughput;
        relocation = parts.relocation(this::look);
        checkpointCopies = parts.checkpointCopies(this::checkpointMade);
        copyResults = parts.copyResults(checkpointCopies, this::look, this::copyEnded);
        healing = parts.healing(this::changed);
        wishes = parts.wishes(this::look);
        sweep = parts.sweep(this::found);
    }

    public Settings settings() {
        return settings;
    }

    /** Knows which desktops have a file's replicas, and which should. */
    public ReplicaSets sets() {
        return sets;
    }

    public Promotion promotion() {
        return promotion;
    }

    public Checkpoints checkpoints() {
        return checkpoints;
    }

    /** Heals rotten and missing replicas. */
    public Healing healing() {
        return healing;
    }

    /** Those who wait for copies. */
    public Securing securing() {
        return securing;
    }

    /** Takes the results of requests to copy. */
    public CopyResults copyResults() {
        return copyResults;
    }

    /** Those who wait for room in a full honeycomb. */
    public Relief relief() {
        return relief;
    }

    /** Knows which honeycombs cannot reach which others. */
    public Unreached unreached() {
        return unreached;
    }

    /** Looks for what files have in honeycombs that are away. */
    public HoldingsSearch holdings() {
        return holdings;
    }

    /** A new version was committed. Its time counts from the first one that secondaries lack. */
    public void committed(Inode inode) {
        checkpoints.committed(inode);
        sets.dropExtras(inode);
        if (!overdue.contains(inode.number())) {
            waiting.add(
                    inode.number(),
                    clock.bootNanos() + settings.timeToCoherence(inode).toNanos());
        }
    }

    /** The newest version is on the primary's disk. What is written again already follows at its next seal. */
    public void sealed(Inode inode) {
        if (!inode.dirty() && (overdue.remove(inode.number()) || !waiting.has(inode.number()))) {
            look(inode);
        }
    }

    /** The file is gone. */
    public void removed(long inode) {
        waiting.remove(inode);
        overdue.remove(inode);
        retries.forget(inode);
        targets.promises().forget(inode);
        checkpoints.removed(inode);
    }

    /** More or fewer replicas are wanted, or sooner. */
    public void changed(Inode inode) {
        if (inode.isRegular()) {
            waiting.add(inode.number(), clock.bootNanos());
        }
    }

    /**
     * A desktop has read a file whole that is elsewhere: it may keep a replica, beyond those that the file should have.
     */
    public void readWhole(Inode inode, Honeycomb reader) {
        if (ReplicaSets.exists(inode) && readReplicas.admit(inode, reader)) {
            sets.addExtra(inode, reader);
            found(inode);
        }
    }

    /**
     * Somebody wants a replica in that honeycomb. The file has no more for that than it should have: another one leaves
     * when that is current. Told again it holds for longer; otherwise for ten minutes.
     *
     * @throws PosixException when it cannot be now
     */
    public void wish(Inode inode, Honeycomb honeycomb) {
        if (sets.isCurrentIn(inode, honeycomb)) {
            return;
        }
        if (sets.isComingTo(inode, honeycomb)) {
            wishes.renew(inode, honeycomb);
        } else {
            wishes.check(inode, honeycomb);
            if (sets.trim(inode) >= 0) {
                wishes.replaceFor(inode, honeycomb);
            }
            sets.addOrKeepExtra(inode, honeycomb);
        }
        changed(inode);
    }

    /** A honeycomb has registered: it may lack something, and others may lack what it can hold. */
    public void connected(Honeycomb honeycomb) {
        fetches.restart(honeycomb);
        holdings.connected(honeycomb);
        securing.connected(honeycomb);
        retries.forgetAll();
        unreached.forget(honeycomb);
        refusals.forgetNext(honeycomb);
        sweep.begin();
    }

    /** A honeycomb has told all that it has. */
    public void inventoried(Honeycomb honeycomb) {
        unanswered.told(honeycomb);
    }

    /** A honeycomb is not paused any more: what it or others lack may be there again. */
    public void resumed() {
        sweep.begin();
    }

    /**
     * Somebody says that a desktop does not come back. If it was given up already, only now can files go on that have
     * changes there.
     */
    public void declareLost(String desktop) {
        absences.declareLost(desktop);
        sweep.begin();
    }

    /** All replicas are to leave a honeycomb from now on, or not any more. */
    public void drain(Honeycomb honeycomb, boolean draining) {
        honeycombs.setDraining(honeycomb, draining);
        targets.refresh();
        census.restart();
        sweep.begin();
    }

    /**
     * An inventory shows a replica of which the honeycomb has not told that it is made: its space is not promised any
     * more.
     */
    public void foundReplica(Inode inode, Honeycomb honeycomb) {
        targets.promises().keep(honeycomb, inode.number());
    }

    /**
     * A replica is gone: another one may take its place now, unless that has to wait because copies have failed.
     *
     * @param inode null when the file is gone as well
     */
    public void dropped(@Nullable Inode inode, Honeycomb honeycomb) {
        relief.left(honeycomb);
        if (inode != null) {
            found(inode);
        }
    }

    /** Called now and then. */
    public void tick() {
        targets.refresh();
        if (absences.tick()) {
            sweep.begin();
        }
        relief.tick();
        relocation.tick();
        wishes.tick();
        securing.tick();
        healing.tick();
        census.tick();
        throughput.tick(fetches.underWay() > 0);
        fetches.tick();
        if (fetches.takeDrained()) {
            sweep.begin();
        }
        if (!sweep.isRunning() && (census.isAnythingLeft() || isTimeToLookAgain())) {
            sweptAt = clock.bootNanos();
            sweep.begin();
        }
        sweep.tick();
    }

    /** The way through the namespace stops until all that it has found was looked at. */
    private void goThrough() {
        if (!waiting.isAnyDue(clock.bootNanos())) {
            sweep.step();
        }
        census.step();
        relocation.step();
        holdings.step();
    }

    /** Requests to be sent now; they count as under way. Asked in each pass. */
    public List<FetchErrand> begin() {
        promotion.carryOut();
        goThrough();
        for (long number : checkpoints.due(MOST_DUE)) {
            Inode inode = namespace.find(number);
            if (inode != null) {
                checkpointCopies.begin(inode);
            }
        }
        long now = clock.bootNanos();
        Long due = waiting.next(now);
        for (int looked = 1; due != null; looked++) {
            Inode inode = namespace.find(due);
            if (inode != null) {
                due(inode);
            }
            due = looked < MOST_DUE ? waiting.next(now) : null;
        }
        List<FetchErrand> begun = new ArrayList<>(securing.begin());
        begun.addAll(fetches.begin());
        return begun;
    }

    /** Whether there is more to be looked at than could be in this pass. */
    public boolean hasMore() {
        return waiting.isAnyDue(clock.bootNanos())
                || checkpoints.isAnyDue()
                || sweep.hasMore()
                || census.hasMore()
                || relocation.hasMore()
                || holdings.hasMore();
    }

    /** Files whose newest version has not reached their secondaries, as far as they were seen. */
    public long waiting() {
        return (long) waiting.size() + overdue.size() + fetches.waiting();
    }

    /** What is counted now and then. */
    public Census census() {
        return census;
    }

    /** How fast copies are made at present, in bytes a second; 0 when that is not known. */
    public long copyRate() {
        return throughput.perSecond();
    }

    /** For how long the version that waits for longest has waited for a desktop that is there and may copy it. */
    public Duration lag() {
        return fetches.lag();
    }

    /** Copies that honeycombs are making. */
    public long underWay() {
        return fetches.underWay();
    }

    /** What is done at each honeycomb at which anything is to be done. */
    public List<HoneycombWork> work() {
        return honeycombs.all().stream()
                .map(honeycomb -> fetches.work(honeycomb, departures.leavingForRoom(honeycomb)))
                .filter(HoneycombWork::isAny)
                .toList();
    }

    /** Whether files that had no room for a replica should be looked at again: there may be some by now. */
    private boolean isTimeToLookAgain() {
        return census.counts().underReplicated() > 0 && clock.bootNanos() - sweptAt >= LOOK_AGAIN.toNanos();
    }

    /**
     * Takes a file that the walk has found. One that waits for its time to be copied waits on, unless its primary is
     * lost: that time may be a day off.
     */
    private void found(Inode inode) {
        if (ReplicaSets.exists(inode) && (promotion.isDue(inode) || (!waiting.has(inode.number()) && lacks(inode)))) {
            waiting.add(inode.number(), clock.bootNanos());
        }
    }

    /** A file whose primary is lost goes on elsewhere only when nobody is copying it any more. */
    private void copyEnded(Inode inode) {
        if (ReplicaSets.exists(inode) && promotion.isDue(inode)) {
            waiting.add(inode.number(), clock.bootNanos());
        }
    }

    /** Whether something could be done about a file's replicas now. */
    public boolean lacks(Inode inode) {
        return promotion.isDue(inode) || (!inode.dirty() && sets.differs(inode));
    }

    private void due(Inode inode) {
        if (ReplicaSets.exists(inode) && promotion.isDue(inode) && !promotion.replaceLost(inode)) {
            waiting.add(inode.number(), clock.bootNanos() + LONGEST_PAUSE.toNanos());
        } else if (inode.dirty() && checkpoints.isAnyWanted(inode.number())) {
            checkpointCopies.begin(inode);
        } else if (inode.dirty() || inode.unsealed()) {
            overdue.add(inode.number());
            if (!inode.dirty()) {
                honeycombs.sealSoon(inode);
            }
        } else {
            look(inode);
        }
    }

    /** Does about its replicas what can be done now. */
    private void look(Inode inode) {
        if (!ReplicaSets.exists(inode) || inode.dirty()) {
            return;
        }
        sets.dropUseless(inode);
        sets.trim(inode);
        sets.chooseMissing(inode);
        fetchMissing(inode);
        departures.letGo(inode);
    }

    private void checkpointMade(Inode inode) {
        retries.forget(inode.number());
        fetchMissing(inode);
    }

    private void fetchMissing(Inode inode) {
        Stream.concat(departures.staying(inode).stream(), departures.extras(inode).stream())
                .filter(honeycomb ->
                        honeycomb.isConnected() && !inode.secondaries().isCurrent(honeycomb.number()))
                .filter(fetches::admits)
                .forEach(honeycomb -> fetches.add(honeycomb, inode.number()));
    }
}
