package org.beefs.queenbee.replication;

import java.util.Optional;
import java.util.function.Consumer;
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
    private final Consumer<Inode> made;

    /** @param made hears of files whose content is elsewhere too by now: the other secondaries are to fetch it */
    CheckpointCopies(
            Checkpoints checkpoints,
            Honeycombs honeycombs,
            Departures departures,
            ReplicaSets sets,
            Securing securing,
            BackgroundFetches fetches,
            Mutator mutator,
            Consumer<Inode> made) {
        this.checkpoints = checkpoints;
        this.honeycombs = honeycombs;
        this.departures = departures;
        this.sets = sets;
        this.securing = securing;
        this.fetches = fetches;
        this.mutator = mutator;
        this.made = made;
    }

    /**
     * Has a checkpoint made, where that is possible, unless one is being made already for somebody who waits for it.
     */
    void begin(Inode inode) {
        if (securing.isAwaited(inode.number())) {
            return;
        }
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
                () -> checkpoints.ended(inode.number()));
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
            fetches.add(honeycomb, inode.number());
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
            made.accept(inode);
        }
    }

    private void end(Inode inode) {
        checkpoints.secured(inode.number());
        checkpoints.ended(inode.number());
        made.accept(inode);
    }
}
