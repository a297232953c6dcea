package org.beefs.queenbee.replication;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.replication.fetch.FetchErrand;

/**
 * Takes the results of requests to copy: a copy that was made becomes a replica of its file, and one that was not is
 * tried again, or made elsewhere. What has become of the file since does not matter: the version tells whether a copy
 * counts. Belongs to the namespace thread.
 */
public final class CopyResults {
    private final ReplicationParts parts;

    CopyResults(ReplicationParts parts) {
        this.parts = parts;
    }

    /** A request was answered. */
    public void answered(FetchErrand errand, List<Fetched> results) {
        parts.unanswered.answered(errand);
        boolean counts =
                isUrgent(errand) ? parts.securing.answered(errand, results.getFirst()) : parts.fetches.answered(errand);
        if (counts) {
            for (int i = 0; i < results.size(); i++) {
                take(errand, i, results.get(i));
            }
            goOn(errand, results);
        }
        tellEnded(errand);
    }

    /** A request has failed as a whole: it is made again after a pause. */
    public void failed(FetchErrand errand) {
        parts.unanswered.failed(errand);
        if (isUrgent(errand)) {
            parts.securing.failed(errand);
        } else {
            parts.fetches.failed(errand);
        }
        tellEnded(errand);
    }

    private void tellEnded(FetchErrand errand) {
        errand.inodes().stream()
                .map(parts.namespace::find)
                .filter(Objects::nonNull)
                .forEach(parts.upkeep::copyEnded);
    }

    /** Whether somebody waits for it. */
    private static boolean isUrgent(FetchErrand errand) {
        return errand.fetches().getUrgent();
    }

    private void take(FetchErrand errand, int index, Fetched result) {
        long number = errand.inodes().get(index);
        Fetch fetch = errand.fetches().getFetches(index);
        long version = fetch.getVersion();
        Honeycomb honeycomb = errand.honeycomb();
        learn(honeycomb, fetch.getSourcesList(), result);
        Inode inode = parts.namespace.find(number);
        if (inode == null || !inode.secondaries().has(honeycomb.number())) {
            return; // a drop is told to the honeycomb, or was, and outruns the copy
        }
        if (fetch.getCheckpoint() && result.hasCheckpoint()) {
            parts.checkpointCopies.take(inode, version, errand, result);
        } else if (result.getComplete()) {
            made(inode, version, honeycomb);
        } else if (result.hasFailure()) {
            Errno errno = Errno.of(result.getFailure().getErrno());
            parts.checkpointCopies.failed(inode, fetch, honeycomb, errno);
            failed(inode, errand, fetch, errno);
        } else if (!isUrgent(errand)) {
            addAgain(honeycomb, number);
        }
    }

    /**
     * Has the version copied again; after a pause when somebody waits for the file, because the honeycomb is copying it
     * for him and would answer again at once.
     */
    private void addAgain(Honeycomb honeycomb, long number) {
        if (parts.securing.isAwaited(number)) {
            parts.retries.failed(number);
        } else {
            parts.fetches.addAgain(honeycomb, number);
        }
    }

    /** Learns who reaches whom, whatever has become of the file. */
    private void learn(Honeycomb honeycomb, List<ReplicaPlace> sources, Fetched result) {
        if (result.getComplete()) {
            parts.unreached.reached(honeycomb, sources);
        } else if (result.getUnreachable()) {
            parts.unreached.failed(honeycomb, sources);
        }
    }

    /**
     * Goes on with the first file that was not finished in time: that one was begun, because honeycombs work in the
     * order of the request, and whatever has failed before does not any more.
     */
    private void goOn(FetchErrand errand, List<Fetched> results) {
        if (!isUrgent(errand)) {
            IntStream.range(0, results.size())
                    .filter(i -> results.get(i).equals(Fetched.getDefaultInstance()))
                    .limit(1)
                    .mapToObj(errand.inodes()::get)
                    .forEach(inode -> {
                        parts.retries.forget(inode);
                        parts.fetches.goOn(errand.honeycomb(), inode);
                    });
        }
    }

    private void made(Inode inode, long version, Honeycomb honeycomb) {
        if (version < inode.versionIn(honeycomb.number())) {
            return; // a later request was answered before: no honeycomb replaces its version by what was asked before
        }
        parts.retries.forget(inode.number());
        if (inode.versionIn(honeycomb.number()) == 0) {
            parts.fullDisks.hasTaken(honeycomb);
        }
        parts.throughput.copied(inode.size());
        parts.targets.promises().keep(honeycomb, inode.number());
        parts.refusedVersions.forget(honeycomb, inode.number());
        parts.mutator.apply(new Mutation.SetSecondary(inode.number(), honeycomb.number(), version));
        if (inode.dirty() && inode.secondaries().isCurrent(honeycomb.number())) {
            parts.checkpointCopies.copied(inode, honeycomb);
        } else if (parts.departures.concerns(inode)) {
            parts.upkeep.look(inode);
        }
    }

    /**
     * Nobody needs an extra replica. Where there is no room for a copy, another honeycomb is chosen; an old version
     * stays there until that has the newest. Who waits for a copy has it tried again himself.
     */
    private void failed(Inode inode, FetchErrand errand, Fetch fetch, Errno errno) {
        Honeycomb honeycomb = errand.honeycomb();
        if (inode.secondaries().isExtra(honeycomb.number())) {
            parts.departures.remove(inode, honeycomb);
            return;
        }
        if (takesNothing(errno)) {
            refused(inode, honeycomb, fetch, errno);
        }
        if (!isUrgent(errand)) {
            parts.retries.failed(inode.number());
        }
    }

    /** When it may have been the file's size, nothing follows for others. */
    private void refused(Inode inode, Honeycomb honeycomb, Fetch fetch, Errno errno) {
        boolean isNew = inode.versionIn(honeycomb.number()) == 0;
        if (isNew) {
            // The room that was promised it goes too, which is part of what has to fit.
            parts.departures.remove(inode, honeycomb);
        }
        if (isNew && !(errno.saysFull() && mayBeTooLarge(inode, honeycomb, fetch))) {
            parts.fullDisks.add(honeycomb);
        } else {
            parts.refusedVersions.add(honeycomb, inode.number());
        }
    }

    /** How large an open file is shows only when it is copied, and it may have grown since its places were chosen. */
    private boolean mayBeTooLarge(Inode inode, Honeycomb honeycomb, Fetch fetch) {
        return fetch.getCheckpoint() || !parts.targets.fits(honeycomb, inode);
    }

    private static boolean takesNothing(Errno errno) {
        return errno.saysFull() || errno == Errno.EROFS;
    }
}
