package org.beefs.queenbee.content;

import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
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
 * Who has which files open. The first writer makes a file dirty; what becomes of a file that was released,
 * {@link LeftFiles} decides. Opens live in memory only: after a restart the sessions report theirs again. Belongs to
 * the namespace thread.
 */
public final class Opens implements Promotion.OpenFiles {
    private final OpenInodes open;
    private final LeftFiles left;
    private final Namespace namespace;
    private final Mutator mutator;
    private final Leases leases;
    private final Honeycombs honeycombs;
    private final Promotion promotion;
    private final Checkpoints checkpoints;
    private final Sessions sessions;
    private final int maxHandles;
    private final PrimaryWait primaries;

    /** @param maxHandles files that one session may have open */
    public Opens(
            OpenInodes open,
            LeftFiles left,
            Namespace namespace,
            Mutator mutator,
            Leases leases,
            Honeycombs honeycombs,
            Promotion promotion,
            Checkpoints checkpoints,
            Sessions sessions,
            int maxHandles) {
        this.open = open;
        this.left = left;
        this.namespace = namespace;
        this.mutator = mutator;
        this.leases = leases;
        this.honeycombs = honeycombs;
        this.promotion = promotion;
        this.checkpoints = checkpoints;
        this.sessions = sessions;
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
        if (write && inode.dirty()) {
            leases.requireDirtyToBeKnown(by, inode);
        }
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

    /** Sessions that had it open before the queen-bee's start may not have told so yet. */
    @Override
    public boolean mayBeOpen(Inode inode) {
        return open.isOpen(inode) || sessions.areSomeAwaited();
    }

    @Override
    public boolean isCertainlyClosed(Inode inode, Runnable whenKnown) {
        return !mayBeOpen(inode) && hasToldOpens(inode, whenKnown);
    }

    @Override
    public boolean isCertainlyOpenOnlyBy(Session session, Inode inode, Runnable whenKnown) {
        return open.isOpenOnlyBy(session, inode) && !sessions.areSomeAwaited() && hasToldOpens(inode, whenKnown);
    }

    @Override
    public void primaryMoves(Inode inode) {
        if (open.isOpen(inode)) {
            sessions.all().stream()
                    .filter(session -> open.isOpenBy(session, inode))
                    .forEach(session -> leases.noteKnownPlace(session, inode));
        }
    }

    @Override
    public boolean mayBeWritten(Inode inode) {
        return left.mayBeWritten(inode);
    }

    @Override
    public boolean giveUp(Inode inode) {
        return left.giveUp(inode);
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
        if (!file.isOpen()) {
            open.closed(inode);
        }
        left.released(inode, file);
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
        left.ended(session, mayWriteUntil);
        for (Long handle : List.copyOf(session.handles().keySet())) {
            release(session, handle, null);
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
}
