package org.beefs.queenbee.content;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.primary.Promotion;
import org.beefs.queenbee.session.OpenHandle;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.session.Sessions;
import org.jspecify.annotations.Nullable;

/**
 * The files that are open, by whom, and what follows from it: the first writer makes a file dirty, the last one's
 * release commits it, and a file without names goes with its last open. Opens live in memory only; after a restart the
 * sessions report theirs again, and until all have done so nothing is decided from the absence of an open. Belongs to
 * the namespace thread.
 */
public final class Contents implements Promotion.OpenFiles {
    private final Namespace namespace;
    private final Mutator mutator;
    private final Leases leases;
    private final Commits commits;
    private final Honeycombs honeycombs;
    private final Promotion promotion;
    private final Checkpoints checkpoints;
    private final Sessions sessions;
    private final int maxHandles;
    private final OpenInodes open = new OpenInodes();
    private final PrimaryWait primaries;

    /** Dirty or nameless files that nobody had open when that could not yet be believed. */
    private final Set<Long> undecided = new HashSet<>();

    private final LateWriters lateWriters;

    /**
     * Dirty files that programs whose daemon has gone may still be writing: only a look at the replica tells that they
     * do not, whatever writers report who came later.
     */
    private final Set<Long> doubtful = new HashSet<>();

    /** @param maxHandles files that one session may have open */
    public Contents(
            Namespace namespace,
            Mutator mutator,
            Leases leases,
            Commits commits,
            Honeycombs honeycombs,
            Promotion promotion,
            Checkpoints checkpoints,
            Sessions sessions,
            Clock clock,
            int maxHandles) {
        this.namespace = namespace;
        this.mutator = mutator;
        this.leases = leases;
        this.commits = commits;
        this.honeycombs = honeycombs;
        this.promotion = promotion;
        this.checkpoints = checkpoints;
        this.sessions = sessions;
        this.lateWriters = new LateWriters(clock);
        this.maxHandles = maxHandles;
        this.primaries = new PrimaryWait(open, honeycombs, promotion, leases, sessions);
    }

    /** Fails with ENFILE when the session has too many files open. */
    public void checkRoom(Session session) {
        if (session.handles().size() >= maxHandles) {
            throw new PosixException(
                    Errno.ENFILE, "desktop %s has %d files open".formatted(session.desktop(), maxHandles));
        }
    }

    /**
     * A session opens a file; opening again under the same handle changes nothing. Parks the request as long as others
     * have cached that the file is clean, or hold back what they have written.
     *
     * @param sequence of the request that opens
     */
    public void open(Clearance by, Session session, Inode inode, long handle, boolean write, long sequence) {
        if (session.handles().containsKey(handle)) {
            return;
        }
        requireOpenable(by, session, inode, handle, write);
        if (write && !inode.dirty()) {
            mutator.change(by, new Mutation.BeginWrite(inode.number()));
        }
        add(session, inode, handle, new OpenHandle(inode.number(), write, sequence));
    }

    /**
     * As {@link #open} to read, by inode. The file counts as open from here on, also while the request is parked
     * because the primary moves: a desktop that has opened it under a lease has told so, and it must not be removed
     * meanwhile.
     */
    public void openToRead(Clearance by, Session session, Inode inode, long handle, long sequence) {
        if (!hasBegun(session, handle, sequence)) {
            if (session.handles().containsKey(handle)) {
                return;
            }
            leases.requireNothingHeldBack(by, inode);
            add(session, inode, handle, new OpenHandle(inode.number(), false, sequence));
        }
        awaitPrimary(by, session, inode, false);
    }

    /** Whether this very request has opened the file already, and may be waiting for the primary. */
    public boolean hasBegun(Session session, long handle, long sequence) {
        OpenHandle known = session.handles().get(handle);
        return known != null && known.sequence() == sequence;
    }

    /**
     * Fails or parks the request if anything keeps the file from being opened. A request that also changes something
     * else of the file calls this before; if the file is dirty, {@link #open} then neither fails nor parks it.
     */
    public void requireOpenable(Clearance by, Session session, Inode inode, long handle, boolean write) {
        if (session.handles().containsKey(handle)) {
            return;
        }
        leases.requireNothingHeldBack(by, inode);
        awaitPrimary(by, session, inode, write);
    }

    private void awaitPrimary(Clearance by, Session session, Inode inode, boolean write) {
        if (!mutator.isReadOnly()) {
            primaries.awaitPrimary(by, session, inode, write);
        }
    }

    /** As {@link PrimaryWait#awaitReturn}. */
    public void awaitReturn(Clearance by, Session session, Inode inode) {
        if (!mutator.isReadOnly()) {
            primaries.awaitReturn(by, session, inode);
        }
    }

    /** Who had it open before the queen-bee's start may not have told so yet. */
    @Override
    public boolean mayBeOpen(Inode inode) {
        return open.isOpen(inode) || sessions.inGrace();
    }

    @Override
    public boolean isCertainlyClosed(Inode inode, Runnable whenKnown) {
        return !mayBeOpen(inode) && hasToldOpens(inode, whenKnown);
    }

    @Override
    public boolean isCertainlyOpenOnlyBy(Session session, Inode inode, Runnable whenKnown) {
        return open.isOpenOnlyBy(session, inode) && !sessions.inGrace() && hasToldOpens(inode, whenKnown);
    }

    @Override
    public void primaryMoves(Inode inode) {
        if (open.isOpen(inode)) {
            sessions.all().stream()
                    .filter(session -> open.isOpenBy(session, inode))
                    .forEach(session -> leases.noteKnownPlace(session, inode));
        }
    }

    /** Whether a session has told that it has a file open. */
    public boolean isOpenBy(Session session, Inode inode) {
        return open.isOpenBy(session, inode);
    }

    /** Whether it is known what the primary's desktop has open. */
    private boolean hasToldOpens(Inode inode, Runnable whenKnown) {
        Session there = honeycombs.of(inode).session();
        return there == null || leases.hasToldOpens(there, inode, whenKnown);
    }

    /** Somebody has set the mtime of a file that is open for writing, perhaps to what it was before. */
    public void retimed(Inode inode) {
        commits.retimed(inode);
    }

    /** Somebody may still write it as long as a session from before the queen-bee's start has not come back. */
    @Override
    public boolean mayBeWritten(Inode inode) {
        return open.isBeingWritten(inode) || sessions.inGrace() || lateWriters.mayWrite(inode.number());
    }

    @Override
    public boolean giveUp(Inode inode) {
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

    /**
     * A session tells that it has had a file open for some time. While that was not known here, others may have
     * written, reported and gone, and the file may even have been committed: then what this writer reports at its end
     * may be older than what was forgotten, and only the honeycomb knows the latest. Nobody is waited for: if others
     * have cached that the file is clean, they have done so for as long as it was forgotten.
     */
    public void reassert(Session session, Inode inode, long handle, boolean write) {
        if (session.handles().containsKey(handle)) {
            return;
        }
        if (write && !inode.dirty()) {
            mutator.changeAtOnce(session, new Mutation.BeginWrite(inode.number()));
        }
        leases.recallHeldBack(session, inode);
        OpenInode file = add(session, inode, handle, new OpenHandle(inode.number(), write, OpenHandle.REASSERTED));
        if (write) {
            file.lostReport();
        }
    }

    /**
     * Whether a session that has just opened a file for writing may hold back what it writes: nobody else has it open,
     * and the replica is not on its own desktop, where nothing is gained by that.
     */
    public boolean grantWriting(Session session, Inode inode) {
        return open.isOpenOnlyBy(session, inode)
                && honeycombs.of(inode).session() != session
                && leases.grantWriting(session, inode);
    }

    /**
     * Whether a session that has come back may go on writing what it has held back of a file: nobody else has opened
     * that since, or waits for it.
     */
    public boolean continueWriting(Session session, Inode inode) {
        return open.isOpenOnlyBy(session, inode) && leases.continueWriting(session, inode);
    }

    /** A session has given a handle up; one that it does not have changes nothing. */
    public void release(Session session, long handle, @Nullable ReplicaStatus status) {
        OpenHandle released = session.handles().remove(handle);
        if (released == null) {
            return;
        }
        OpenInode file = open.find(released.inode());
        Inode inode = namespace.find(released.inode());
        if (file == null || inode == null) {
            throw new IllegalStateException("an open file is not there: inode " + released.inode());
        }
        file.released(released.write());
        if (!file.isBeingWritten()) {
            leases.endWriting(session, inode);
            checkpoints.writingEnded(inode.number());
        }
        if (released.write()) {
            if (status == null) {
                file.lostReport();
            } else {
                file.report(status);
            }
        }
        settle(inode, file);
        if (released.write() && promotion.isReplaceable(inode)) {
            promotion.wantReplaced(inode);
        }
    }

    /**
     * A session is over.
     *
     * @param mayWriteUntil when its daemon certainly stops writing, by the boot clock; in the past if it has
     */
    public void releaseAll(Session session, long mayWriteUntil) {
        if (!session.hasReturned()) {
            // What it has open is not known yet: it may be any file that was dirty at the queen-bee's start.
            undecided.forEach(inode -> lateWriters.add(inode, mayWriteUntil));
        }
        session.handles().values().stream()
                .filter(OpenHandle::write)
                .forEach(handle -> lateWriters.add(handle.inode(), mayWriteUntil));
        for (Long handle : List.copyOf(session.handles().keySet())) {
            release(session, handle, null);
        }
    }

    /** Files that are remembered because somebody whose session is over may still be writing them; for tests. */
    int lateWriters() {
        return lateWriters.size();
    }

    /** A name of the inode was removed. */
    public void unlinked(Inode inode) {
        if (inode.links() == 0 && !open.isOpen(inode)) {
            abandon(inode, null);
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
            honeycombs.errands().seal(inode);
        }
    }

    /** Decides what had to wait for the sessions, once they are back. */
    public void decideWaiting() {
        if (undecided.isEmpty() || sessions.inGrace()) {
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

    private OpenInode add(Session session, Inode inode, long handle, OpenHandle opened) {
        session.handles().put(handle, opened);
        OpenInode file = open.opened(session, inode, opened.write());
        if (opened.write()) {
            checkpoints.writingBegun(inode.number());
        }
        return file;
    }

    private void settle(Inode inode, OpenInode file) {
        boolean abandoned = inode.links() == 0 && !file.isOpen();
        if (!file.isOpen()) {
            open.closed(inode);
        }
        if (abandoned) {
            abandon(inode, file.finalReport());
        } else if (inode.dirty() && !file.isBeingWritten()) {
            finish(inode, file);
        }
    }

    private void finish(Inode inode, OpenInode file) {
        ReplicaStatus status = file.finalReport();
        if (sessions.inGrace() || lateWriters.mayWrite(inode.number())) {
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
        honeycombs.errands().examine(inode);
    }

    /** Nobody can reach the inode any more. */
    private void abandon(Inode inode, @Nullable ReplicaStatus status) {
        if (inode.isRegular() && sessions.inGrace()) {
            undecided.add(inode.number());
            return;
        }
        if (inode.isRegular() && mayHaveReplica(inode, status)) {
            honeycombs.errands().drop(inode);
        } else if (inode.isRegular() && inode.honeycomb() != 0) {
            honeycombs.errands().forget(inode);
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
