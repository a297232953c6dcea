package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.replication.departure.Relief;
import org.beefs.queenbee.replication.departure.RemainsSearch;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.fetch.HoneycombWork;
import org.beefs.queenbee.replication.placement.Settings;
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
    private final ReplicationParts parts;
    private final Passes passes;
    private final CopyResults copyResults;

    Replication(ReplicationParts parts) {
        this.parts = parts;
        passes = new Passes(parts);
        copyResults = new CopyResults(parts);
    }

    public Settings settings() {
        return parts.settings;
    }

    /** Knows which desktops have a file's replicas, and which should. */
    public ReplicaSets sets() {
        return parts.sets;
    }

    public Promotion promotion() {
        return parts.promotion;
    }

    public Checkpoints checkpoints() {
        return parts.checkpoints;
    }

    /** Heals rotten and missing replicas. */
    public Healing healing() {
        return parts.healing;
    }

    /** Knows which requests wait for copies, and has these made. */
    public Securing securing() {
        return parts.securing;
    }

    /** Takes the results of requests to copy. */
    public CopyResults copyResults() {
        return copyResults;
    }

    /** Sees to it that files have the replicas that they should have. */
    public Upkeep upkeep() {
        return parts.upkeep;
    }

    /** Does what nobody asks for. */
    public Passes passes() {
        return passes;
    }

    /** Knows which writers wait for room in a full honeycomb. */
    public Relief relief() {
        return parts.relief;
    }

    /** Knows which honeycombs cannot reach which others. */
    public Unreached unreached() {
        return parts.unreached;
    }

    /** Looks for what files still have in honeycombs that are away. */
    public RemainsSearch remains() {
        return parts.remains;
    }

    /** The file is gone. */
    public void removed(long inode) {
        parts.upkeep.removed(inode);
        parts.targets.promises().forget(inode);
        parts.checkpoints.removed(inode);
    }

    /**
     * A desktop has read a file whole that is elsewhere: it may keep a replica, beyond those that the file should have.
     */
    public void readWhole(Inode inode, Honeycomb reader) {
        if (ReplicaSets.isCopyable(inode) && parts.readReplicas.admit(inode, reader)) {
            parts.sets.addExtra(inode, reader);
            parts.upkeep.found(inode);
        }
    }

    /**
     * Somebody wants a replica in that honeycomb. The file has no more for that than it should have: another one leaves
     * when that is current. Told again it holds for longer; otherwise for ten minutes.
     *
     * @throws PosixException when it cannot be now
     */
    public void wish(Inode inode, Honeycomb honeycomb) {
        if (parts.sets.isCurrentIn(inode, honeycomb)) {
            return;
        }
        if (parts.sets.isComingTo(inode, honeycomb)) {
            parts.wishes.renew(inode, honeycomb);
        } else {
            parts.wishes.check(inode, honeycomb);
            if (parts.sets.trim(inode) >= 0) {
                parts.wishes.replaceFor(inode, honeycomb);
            }
            parts.sets.addOrKeepExtra(inode, honeycomb);
        }
        parts.upkeep.changed(inode);
    }

    /** The queen-bee herself was asleep or stopped: nobody has waited in vain for copies or room meanwhile. */
    public void forgiveWaiting() {
        parts.securing.forgiveWaiting();
        parts.relief.forgiveWaiting();
    }

    /** A honeycomb has registered: it may lack something, and others may lack what it can hold. */
    public void connected(Honeycomb honeycomb) {
        parts.remains.connected(honeycomb);
        parts.fetches.restart(honeycomb);
        parts.securing.connected(honeycomb);
        parts.retries.forgetAll();
        parts.unreached.forget(honeycomb);
        parts.refusedVersions.forget(honeycomb);
        parts.sweep.begin();
    }

    /** A honeycomb has told all that it has. */
    public void inventoried(Honeycomb honeycomb) {
        parts.unanswered.told(honeycomb);
    }

    /** A honeycomb is not paused any more: what it or others lack may be there again. */
    public void resumed() {
        parts.sweep.begin();
    }

    /**
     * Somebody says that a desktop does not come back. If it was given up already, only now can files go on that have
     * changes there.
     */
    public void declareLost(String desktop) {
        parts.absences.declareLost(desktop);
        parts.sweep.begin();
    }

    /** All replicas are to leave a honeycomb from now on, or not any more. */
    public void drain(Honeycomb honeycomb, boolean draining) {
        parts.honeycombs.setDraining(honeycomb, draining);
        parts.targets.refresh();
        parts.census.restart();
        parts.sweep.begin();
    }

    /**
     * An inventory shows a replica of which the honeycomb has not told that it is made: its space is not promised any
     * more.
     */
    public void foundReplica(Inode inode, Honeycomb honeycomb) {
        parts.targets.promises().keep(honeycomb, inode.number());
    }

    /**
     * A replica is gone: another one may take its place now, unless that has to wait because copies have failed.
     *
     * @param inode null when the file is gone as well
     */
    public void dropped(@Nullable Inode inode, Honeycomb honeycomb) {
        parts.relief.left(honeycomb);
        if (inode != null) {
            parts.upkeep.found(inode);
        }
    }

    /** Files whose newest version has not reached their secondaries, as far as they were seen. */
    public long waiting() {
        return parts.upkeep.waiting() + parts.fetches.waiting();
    }

    /** What is counted now and then. */
    public Census census() {
        return parts.census;
    }

    /** How fast copies are made at present, in bytes a second; 0 when that is not known. */
    public long copyRate() {
        return parts.throughput.perSecond();
    }

    /** For how long the version that waits for longest has waited for a desktop that is there and may copy it. */
    public Duration lag() {
        return parts.fetches.lag();
    }

    /** Copies that honeycombs are making. */
    public long underWay() {
        return parts.fetches.underWay();
    }

    /** What is done at each honeycomb at which anything is to be done. */
    public List<HoneycombWork> work() {
        return parts.honeycombs.all().stream()
                .map(honeycomb -> parts.fetches.work(honeycomb, parts.departures.leavingForRoom(honeycomb)))
                .filter(HoneycombWork::isAny)
                .toList();
    }
}
