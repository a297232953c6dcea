package org.beefs.queenbee.replication;

import java.util.Optional;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.replication.departure.Departures;
import org.beefs.queenbee.replication.fetch.BackgroundFetches;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.fetch.FetchErrand;

/**
 * Has the present content of a dirty file copied to one secondary, as a version of its own; the others get it from
 * there. {@link Checkpoints} knows which files are due. Belongs to the namespace thread.
 */
final class CheckpointCopies {
    private final Checkpoints checkpoints;
    private final Honeycombs honeycombs;
    private final Departures departures;
    private final ReplicaSets sets;
    private final Securing securing;
    private final BackgroundFetches fetches;
    private final Mutator mutator;
    private final Upkeep upkeep;

    CheckpointCopies(
            Checkpoints checkpoints,
            Honeycombs honeycombs,
            Departures departures,
            ReplicaSets sets,
            Securing securing,
            BackgroundFetches fetches,
            Mutator mutator,
            Upkeep upkeep) {
        this.checkpoints = checkpoints;
        this.honeycombs = honeycombs;
        this.departures = departures;
        this.sets = sets;
        this.securing = securing;
        this.fetches = fetches;
        this.mutator = mutator;
        this.upkeep = upkeep;
    }

    /**
     * Has a checkpoint made, where that is possible, unless one is being made already for somebody who waits for it, or
     * is whole and yet to become a replica: the honeycomb that keeps it would lose it with the next one, and nobody
     * else may have that version.
     */
    void begin(Inode inode) {
        if (securing.isAwaited(inode.number())) {
            return;
        }
        Honeycomb keeper = inode.dirty() ? checkpoints.keeper(inode) : null;
        if (keeper != null && keeper.canCopy()) {
            fetches.addKept(keeper, inode.number());
        } else {
            make(inode);
        }
    }

    private void make(Inode inode) {
        boolean possible =
                inode.dirty() && inode.links() > 0 && honeycombs.of(inode).canCopy();
        if (possible) {
            sets.chooseMissing(inode);
        }
        Optional<Honeycomb> place = possible
                ? departures.staying(inode).stream().filter(Honeycomb::canCopy).findFirst()
                : Optional.empty();
        place.ifPresentOrElse(
                honeycomb -> {
                    checkpoints.want(inode.number(), honeycomb);
                    fetches.add(honeycomb, inode.number());
                },
                () -> giveUp(inode));
    }

    /** Ends the checkpoint, unless a honeycomb keeps it: then it stays until that is there again. */
    private void giveUp(Inode inode) {
        if (checkpoints.keeper(inode) == null) {
            checkpoints.ended(inode.number());
        }
    }

    /**
     * Takes a copy: its content becomes the newest version, though the file stays dirty; then it can become the
     * replica.
     */
    void take(Inode inode, long version, FetchErrand errand, Fetched result) {
        Honeycomb honeycomb = errand.honeycomb();
        if (!inode.dirty() || version <= inode.version() || !checkpoints.isPlace(inode.number(), honeycomb)) {
            return; // it was closed meanwhile, or another copy has outrun this one: it may be another content's number
        }
        if (result.getComplete()) {
            mutator.apply(Mutation.Commit.of(inode, version, result.getCheckpoint(), true));
            checkpoints.committed(inode);
            sets.dropExtras(inode);
            checkpoints.kept(inode, honeycomb);
            fetches.addKept(honeycomb, inode.number());
        } else if (checkpoints.isWanted(inode.number(), honeycomb)) {
            end(inode); // it is the newest version still, and that is elsewhere too
        }
        securing.looked(inode, errand.begun());
    }

    /**
     * The newest version is a secondary's replica. A checkpoint ends with its own only: another copy says nothing of
     * what the file is now.
     */
    void copied(Inode inode, Honeycomb honeycomb) {
        if (checkpoints.isKept(inode, honeycomb)) {
            end(inode);
        } else {
            upkeep.checkpointMade(inode);
        }
    }

    /** A copy that is kept could not become the replica: it is not there any more, and another one is made. */
    void failed(Inode inode, Fetch fetch, Honeycomb honeycomb, Errno errno) {
        if (!fetch.getCheckpoint() && errno != Errno.EAGAIN && checkpoints.isKept(inode, honeycomb)) {
            checkpoints.want(inode.number(), honeycomb);
        }
    }

    private void end(Inode inode) {
        checkpoints.secured(inode.number());
        checkpoints.ended(inode.number());
        upkeep.checkpointMade(inode);
    }
}
