package org.beefs.queenbee.content;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.OpenHandle;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.session.Sessions;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of files that sessions have closed, or had open when they ended: a dirty one that nobody writes any more
 * is committed, or its honeycomb is asked what it is like; one without names that nobody has open is gone. Nothing is
 * decided as long as a session may have the file open that has not said so yet, or a desktop may write it although its
 * session is over. Belongs to the namespace thread.
 */
public final class LeftFiles {
    private final OpenInodes open;
    private final Namespace namespace;
    private final Mutator mutator;
    private final Commits commits;
    private final Honeycombs honeycombs;
    private final Sessions sessions;

    /** Dirty or nameless files that nobody had open when that could not yet be believed. */
    private final Set<Long> undecided = new HashSet<>();

    private final LateWriters lateWriters;

    /**
     * Dirty files that programs whose daemon has gone may still be writing: only a look at the replica tells that they
     * do not, whatever writers report who came later.
     */
    private final Set<Long> doubtful = new HashSet<>();

    public LeftFiles(
            OpenInodes open,
            Namespace namespace,
            Mutator mutator,
            Commits commits,
            Honeycombs honeycombs,
            Sessions sessions,
            Clock clock) {
        this.open = open;
        this.namespace = namespace;
        this.mutator = mutator;
        this.commits = commits;
        this.honeycombs = honeycombs;
        this.sessions = sessions;
        this.lateWriters = new LateWriters(clock);
    }

    /**
     * A session is over; what it has open is released next.
     *
     * @param mayWriteUntil as for {@link Opens#releaseAll}
     */
    void ended(Session session, long mayWriteUntil) {
        if (!session.hasReturned()) {
            // What it has open is not known yet: it may be any file that was dirty at the queen-bee's start.
            undecided.forEach(inode -> lateWriters.add(inode, mayWriteUntil));
        }
        session.handles().values().stream()
                .filter(OpenHandle::write)
                .forEach(handle -> lateWriters.add(handle.inode(), mayWriteUntil));
    }

    /** One open of the file has ended. */
    void released(Inode inode, OpenInode file) {
        if (inode.links() == 0 && !file.isOpen()) {
            abandon(inode, file.finalReport());
        } else if (inode.dirty() && !file.isBeingWritten()) {
            finish(inode, file);
        }
    }

    /** Somebody may still write it as long as a session from before the queen-bee's start has not come back. */
    boolean mayBeWritten(Inode inode) {
        return open.isBeingWritten(inode) || sessions.areSomeAwaited() || lateWriters.mayWrite(inode.number());
    }

    /** As {@link Opens#giveUp}. */
    boolean giveUp(Inode inode) {
        OpenInode file = open.find(inode.number());
        if (mayBeWritten(inode)) {
            return false;
        }
        doubtful.remove(inode.number());
        undecided.remove(inode.number());
        if (file != null) {
            file.settled();
        }
        commits.takenBack(inode);
        mutator.apply(new Mutation.TakeBack(inode.number()));
        return true;
    }

    /** Somebody has set the mtime of a file that is open for writing, perhaps to what it was before. */
    public void retimed(Inode inode) {
        commits.retimed(inode);
    }

    /** A name of the inode was removed. */
    public void unlinked(Inode inode) {
        if (inode.links() == 0 && !open.isOpen(inode)) {
            abandon(inode, null);
        }
    }

    /** A name of the inode was given to another one. */
    public void replaced(Inode inode, Inode by) {
        unlinked(inode);
        if (inode.links() == 0 && inode.isRegular() && by.isRegular()) {
            honeycombs.errandQueues().replacing(by);
        }
    }

    /** A honeycomb has looked at the replica of a file that somebody left dirty. */
    public void examined(long number, ReplicaStatus status) {
        doubtful.remove(number);
        Inode inode = namespace.find(number);
        if (inode == null || !inode.dirty()) {
            return;
        }
        if (lateWriters.mayWrite(number)) {
            undecided.add(number);
            return;
        }
        OpenInode file = open.find(number);
        // Who writes it now, or has gone meanwhile, is not in this look: the last writer's release decides.
        if (file == null || !file.isBeingWritten()) {
            commits.decide(inode, status);
            if (file != null) {
                file.settled();
            }
        }
    }

    /**
     * A replica shows that a clean file may have been written without anybody here knowing: its honeycomb tells what it
     * is like.
     */
    public void suspect(Inode inode) {
        mutator.changeAtOnce(null, new Mutation.BeginWrite(inode.number()));
        undecided.add(inode.number());
        decideWaiting();
    }

    /** Whether a file without names should be gone: nobody has it open, and nothing is waited for. */
    public boolean isForgotten(Inode inode) {
        return inode.links() == 0 && !open.isOpen(inode) && !undecided.contains(inode.number());
    }

    /** Whether a dirty file should be clean: nobody writes it, and nobody was asked what it is like. */
    public boolean isLeftDirty(Inode inode) {
        OpenInode file = open.find(inode.number());
        return inode.dirty()
                && (file == null || !file.isBeingWritten())
                && !undecided.contains(inode.number())
                && !doubtful.contains(inode.number());
    }

    /** Finds out what a file is like that was left dirty. */
    public void settleLeftDirty(Inode inode) {
        undecided.add(inode.number());
        decideWaiting();
    }

    /** While loading: what has to be decided when the sessions are back. */
    public void loaded(Inode inode) {
        if (inode.dirty() || inode.links() == 0) {
            undecided.add(inode.number());
        }
        if (inode.unsealed()) {
            honeycombs.errandQueues().seal(inode);
        }
    }

    /** Decides what had to wait for the sessions, once they are back. */
    public void decideWaiting() {
        if (undecided.isEmpty() || sessions.areSomeAwaited()) {
            return;
        }
        for (Long number : List.copyOf(undecided)) {
            if (lateWriters.mayWrite(number)) {
                continue;
            }
            undecided.remove(number);
            Inode inode = namespace.find(number);
            OpenInode file = open.find(number);
            if (inode != null && inode.links() == 0 && file == null) {
                abandon(inode, null);
            } else if (inode != null && inode.dirty() && file != null && file.isBeingWritten()) {
                doubtful.add(number);
            } else if (inode != null && inode.dirty()) {
                examine(inode);
            }
        }
    }

    /** Files that are remembered because somebody whose session is over may still be writing them; for tests. */
    int lateWriters() {
        return lateWriters.size();
    }

    private void finish(Inode inode, OpenInode file) {
        ReplicaStatus status = file.finalReport();
        if (sessions.areSomeAwaited() || lateWriters.mayWrite(inode.number())) {
            undecided.add(inode.number());
        } else if (status == null || doubtful.contains(inode.number())) {
            examine(inode);
        } else {
            commits.decide(inode, status);
            file.settled();
        }
    }

    private void examine(Inode inode) {
        doubtful.add(inode.number());
        honeycombs.errandQueues().examine(inode);
    }

    /** Nobody can reach the inode any more. */
    private void abandon(Inode inode, @Nullable ReplicaStatus status) {
        if (inode.isRegular() && sessions.areSomeAwaited()) {
            undecided.add(inode.number());
            return;
        }
        if (inode.isRegular() && mayHaveReplica(inode, status)) {
            honeycombs.errandQueues().drop(inode);
        } else if (inode.isRegular() && inode.honeycomb() != 0) {
            honeycombs.errandQueues().forget(inode);
        }
        doubtful.remove(inode.number());
        lateWriters.forget(inode.number());
        commits.forget(inode);
        mutator.apply(new Mutation.Reap(inode.number()));
    }

    private static boolean mayHaveReplica(Inode inode, @Nullable ReplicaStatus status) {
        boolean neverWritten = !inode.dirty() || (status != null && !status.getExists());
        return inode.version() != 0 || !neverWritten;
    }
}
