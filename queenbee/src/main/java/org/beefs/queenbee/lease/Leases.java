package org.beefs.queenbee.lease;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.session.Sessions;
import org.jspecify.annotations.Nullable;

/**
 * What sessions may cache. A lease ends by the answer to a recall, by the registration or the end of its session, or by
 * silence: a session that was not heard for the recall time-out has dropped everything by itself. Leases are in memory
 * only: after a restart nothing is changed until they have certainly ended. Belongs to the namespace thread.
 */
public final class Leases {
    private final Sessions sessions;
    private final Grace grace;
    private final Duration silence;
    private final int maxLeases;
    private final MemoryRoom memory;
    private final Holders holders = new Holders();
    private final UnderRecall underRecall = new UnderRecall();
    private final Recalls recalls = new Recalls(holders);
    private final LeaseRoom room;
    private final Contested contested;

    /** The clearance of the request that is being carried out. */
    private @Nullable Clearance underWay;

    /**
     * @param silence after which a session has no leases any more
     * @param maxLeases that one session may gather before they are recalled as a whole; 0 for none at all
     * @param memory bounds those of all sessions
     */
    public Leases(Clock clock, Sessions sessions, Grace grace, Duration silence, int maxLeases, MemoryRoom memory) {
        this.sessions = sessions;
        this.grace = grace;
        this.silence = silence;
        this.maxLeases = maxLeases;
        this.memory = memory;
        room = new LeaseRoom(holders, memory, this::recallAll);
        contested = new Contested(clock);
    }

    public Recalls recalls() {
        return recalls;
    }

    /** Leases that are held by all sessions. */
    public long size() {
        return holders.leases();
    }

    /** Leases that a session holds, without those that are being recalled as a whole. */
    public int count(Session session) {
        Holder holder = holders.find(session);
        return holder == null ? 0 : holders.count(holder);
    }

    /**
     * Grants the directory lease, for the entries or the absent one that the answer under way names. False when there
     * can be none now; the session may hold one from before all the same.
     */
    public boolean grantDirectory(Session session, Inode directory) {
        return grant(session, Lease.DIRECTORY, directory);
    }

    /**
     * Grants the lease on the attributes that the answer under way shows. False when there can be none now. What was
     * recalled for that very request, and for no other, is not in the way: whoever lists what another desktop has made
     * would otherwise have to ask once more for each file.
     */
    public boolean grantAttributes(Session session, Inode inode) {
        Clearance own = underWay != null && underWay.isOf(session) && underWay.awaited.isEmpty() ? underWay : null;
        return !underRecall.hasAttributes(inode.number(), own) && grantCleared(session, Lease.ATTRIBUTES, inode);
    }

    /** A request is about to be carried out; {@link #endRun} follows, however that ends. */
    public void beginRun(Clearance by) {
        underWay = by;
    }

    public void endRun() {
        underWay = null;
    }

    /**
     * Grants the lease on writing a file that nobody else has open, for the answer under way. False when anybody else
     * holds a lease on it or may do so.
     */
    public boolean grantWriting(Session session, Inode inode) {
        return grantAlone(session, Lease.WRITE, inode);
    }

    /**
     * As {@link #grantWriting}, to who had the lease before he registered again: whatever number of leases he has, and
     * also while it is not known who else has the file open, since whoever comes back with it has it
     * {@link #recallHeldBack recalled}.
     */
    public boolean continueWriting(Session session, Inode inode) {
        boolean isFree = !underRecall.has(inode.number(), Lease.WRITE) && !holders.othersHold(session, inode.number());
        if (isFree) {
            holders.grant(holders.of(session), Lease.WRITE, inode.number());
        }
        return isFree;
    }

    /**
     * Grants the delegation of an inode that the session has just made, for the answer under way. False when anybody
     * else may know of it, or memory is scarce: then nothing is to be made that cannot be refused.
     *
     * @param decided whether the session has made it by itself, and so believes that it has the delegation already
     */
    public boolean delegate(Session session, Inode inode, boolean decided) {
        if (maxLeases == 0) {
            return false;
        }
        boolean granted = !memory.isScarce() && grant(session, Lease.DELEGATION, inode);
        if (!granted && decided) {
            holders.grant(holders.of(session), Lease.DELEGATION, inode.number());
        }
        return granted || decided;
    }

    /**
     * Grants the delegation of a directory in which the session has just changed a name, for the answer under way.
     * False when anybody else may know of the directory or of what is in it, it was recalled lately, or memory is
     * scarce.
     */
    public boolean delegateToChanger(Session session, Inode directory) {
        return !memory.isScarce()
                && !contested.has(directory.number())
                && !underRecall.has(directory.number(), Lease.DIRECTORY)
                && !holders.anotherKnowsNames(session, directory.number())
                && grantAlone(session, Lease.DELEGATION, directory);
    }

    /**
     * Grants the delegation of a file that is there already, in a directory that the session holds the delegation of.
     * False when anybody else may know of it, or memory is scarce.
     */
    public boolean delegateFile(Session session, Inode file) {
        return !memory.isScarce() && grantAlone(session, Lease.DELEGATION, file);
    }

    /** Whether the session holds the delegation of an inode. */
    public boolean hasDelegation(Session session, Inode inode) {
        Holder holder = holders.find(session);
        return holder != null && holders.holds(holder, Lease.DELEGATION, inode.number());
    }

    /**
     * Fails with {@link ParkedException} as long as somebody else may have changed one of the inodes, or what is in it,
     * and not asked yet.
     */
    public void requireNoDelegation(Clearance by, List<Inode> inodes) {
        for (Inode inode : inodes) {
            if (mayBeOutdated(by.session(), inode)) {
                List<Inode> outdated = inodes.stream()
                        .filter(each -> mayBeOutdated(by.session(), each))
                        .toList();
                outdated.stream().filter(Inode::isDirectory).forEach(each -> contested.add(each.number()));
                requireCleared(by, Touched.of(outdated));
                return;
            }
        }
    }

    /** Whether somebody else may have changed an inode, or what is in it, and not asked yet. */
    public boolean mayBeOutdated(@Nullable Session from, Inode inode) {
        return grace.isRunning() || holders.anotherDecides(from, inode.number());
    }

    /**
     * The session knows where the file's primary is, which is going to move. It is entered as lease holder, so that the
     * recall before the next write tells it that the primary moved.
     */
    public void noteKnownPlace(Session session, Inode inode) {
        holders.grant(holders.of(session), Lease.ATTRIBUTES, inode.number());
    }

    /** The session does not write the file any more. */
    public void endWriting(Session session, Inode inode) {
        Holder holder = holders.find(session);
        if (holder != null) {
            holders.take(holder, Lease.WRITE, inode.number());
        }
    }

    /** Whether somebody else may have changed an inode, or written a file, and not told yet. */
    public boolean isHeldBack(@Nullable Session from, Inode inode) {
        return mayBeOutdated(from, inode) || (inode.dirty() && holders.anotherWrites(from, inode.number()));
    }

    /** Before a file is shown or opened: fails with {@link ParkedException} as long as it is held back. */
    public void requireNothingHeldBack(Clearance by, Inode inode) {
        if (isHeldBack(by.session(), inode)) {
            requireCleared(by, Touched.of(inode));
        }
    }

    /**
     * Before a file is written that is dirty already: fails with {@link ParkedException} as long as others are being
     * told that, as where it became so at once, and may still read what they have kept of it.
     */
    public void requireDirtyToBeKnown(Clearance by, Inode inode) {
        if (underRecall.has(inode.number(), Lease.ATTRIBUTES)) {
            requireCleared(by, Touched.of(inode));
        }
    }

    /**
     * Fails with {@link ParkedException} as long as others hold leases on an inode: their sessions may have opened the
     * file to read it, and not told so yet. They tell it before they let go.
     */
    public void requireOpensToBeTold(Clearance by, Inode inode) {
        requireCleared(by, Touched.of(inode));
    }

    /**
     * Whether a session has told of all that it may have opened of an inode. If it has not for certain, because it
     * holds a lease, that is recalled.
     *
     * @param whenTold then runs when it has let go, and before it is granted another; not if the inode is being
     *     recalled already
     */
    public boolean hasToldOpens(Session session, Inode inode, Runnable whenTold) {
        Holder holder = holders.find(session);
        boolean told = holder == null || !holders.holdsInode(holder, inode.number());
        if (!told && !underRecall.has(inode.number(), Lease.ATTRIBUTES)) {
            recall(Clearance.then(whenTold), Touched.of(inode), Set.of(holder));
        }
        return told;
    }

    /** All holders have let go for a clearance that no request waits for. */
    public void endUnwaited(Clearance clearance) {
        clearance.runWhenClear();
        over(clearance);
    }

    /** Recalls what is held back, and lets nobody wait for it. */
    public void recallHeldBack(Session by, Inode inode) {
        if (holders.anotherWrites(by, inode.number())) {
            recall(new Clearance(by), Touched.of(inode));
        }
    }

    /** Recalls what others hold on inodes that a session is going to remove, and lets nobody wait for it. */
    public void recallAhead(Session by, List<Inode> inodes) {
        List<Inode> unasked = inodes.stream()
                .filter(inode -> !underRecall.has(inode.number(), Lease.ATTRIBUTES))
                .toList();
        recall(new Clearance(by), Touched.of(unasked));
    }

    /** The request is carried out or has failed: what was cleared for it may be granted again. */
    public void over(Clearance clearance) {
        if (!clearance.isEmpty()) {
            recalls.remove(clearance);
            underRecall.remove(clearance);
        }
    }

    /** The session caches nothing any more: it registers, or it is over. */
    public void end(Session session) {
        Holder holder = holders.find(session);
        if (holder != null) {
            holders.end(holder);
            recalls.end(holder);
        }
    }

    /** Ends the leases of sessions that are to let go and have been silent for too long. */
    public void endSilent() {
        List.copyOf(recalls.awaited()).forEach(this::endIfSilent);
    }

    /**
     * Fails with {@link ParkedException} until a session holds no lease. From then on it is granted none before the
     * request is over. What it makes before the recall reaches it is recalled as well. This ends, because each further
     * round needs a directory nested one deeper.
     */
    public void requireNone(Clearance by, Session session) {
        grace.requireOver(by);
        Holder holder = holders.find(session);
        if (holder == null || holders.isEmpty(holder) || endIfSilent(holder)) {
            return;
        }
        if (holder.former == Holder.NONE) {
            recallAll(holder);
        }
        underRecall.addEverythingOf(by, session);
        recalls.add(by, Set.of(holder));
        throw new ParkedException(by, "a session is to let go of all its leases");
    }

    /**
     * Fails with {@link ParkedException} until nobody but the clearance's own session holds a lease on what is touched.
     */
    void requireCleared(Clearance by, Touched touched) {
        if (by.waitsForNobody()) {
            recall(new Clearance(by.session()), touched);
            return;
        }
        grace.requireOver(by);
        Set<Holder> inTheWay = holders.inTheWay(by, touched);
        inTheWay.removeIf(this::endIfSilent);
        if (!inTheWay.isEmpty()) {
            recall(by, touched, inTheWay);
            throw new ParkedException(by, "others hold leases on what it touches");
        }
    }

    /** Recalls what is touched, and lets nobody wait for it. */
    void recall(Clearance by, Touched touched) {
        Set<Holder> inTheWay = holders.inTheWay(by, touched);
        if (!inTheWay.isEmpty()) {
            recall(by, touched, inTheWay);
        }
    }

    /** The inode is gone: nobody can ask for it, or change it, any more. */
    void forget(long inode) {
        for (Lease lease : Lease.values()) {
            holders.takeFromAll(lease, inode);
        }
        contested.forget(inode);
    }

    /** False when anybody else holds a lease on the inode itself, or may do so. */
    private boolean grantAlone(Session session, Lease lease, Inode inode) {
        return !sessions.areSomeAwaited()
                && !holders.othersHold(session, inode.number())
                && grant(session, lease, inode);
    }

    private boolean grant(Session session, Lease lease, Inode inode) {
        return !underRecall.has(inode.number(), lease) && grantCleared(session, lease, inode);
    }

    /**
     * Grants the lease. Refused while another session may change the inode without asking, even to a session that only
     * closes a file it still has open. Refused as well while another session may hold back what it has written to the
     * file, also for extended attributes: a lease of another session says that it may have seen the content.
     */
    private boolean grantCleared(Session session, Lease lease, Inode inode) {
        if (maxLeases == 0
                || (inode.links() == 0 && !isReadWithoutName(session, lease, inode))
                || underRecall.hasEverythingOf(session)
                || holders.anotherDecides(session, inode.number())
                || (inode.dirty() && holders.anotherWrites(session, inode.number()))) {
            return false;
        }
        Holder holder = holders.of(session);
        if (holders.holdsAnew(holder, lease, inode.number())) {
            return true;
        }
        if (!room.make()) {
            return false;
        }
        if (holders.count(holder) >= maxLeases) {
            if (holder.former != Holder.NONE) {
                return false;
            }
            recallAll(holder);
        }
        holders.grant(holder, lease, inode.number());
        return true;
    }

    /** Recalls all leases that sessions have now. */
    public void recallEverything() {
        holders.all().forEach(this::recallAllOnce);
    }

    private void recallAllOnce(Holder holder) {
        if (holder.former == Holder.NONE && !holders.isEmpty(holder)) {
            recallAll(holder);
        }
    }

    /** Recalls all leases that the holder has now, as a whole. */
    private void recallAll(Holder holder) {
        holders.setApart(holder);
        recalls.addFormer(holder);
    }

    /**
     * Whether a session reads a file that has no name any more, such as a program that was replaced while it runs: with
     * the lease it may read other replicas than the primary. Nothing else is leased of such inodes, so that nobody
     * holds a lease on what is gone.
     */
    private static boolean isReadWithoutName(Session session, Lease lease, Inode inode) {
        return lease == Lease.ATTRIBUTES && inode.isRegular() && !inode.dirty() && session.hasOpen(inode.number());
    }

    private void recall(Clearance by, Touched touched, Set<Holder> inTheWay) {
        underRecall.add(by, touched);
        recalls.add(by, inTheWay);
    }

    private boolean endIfSilent(Holder holder) {
        boolean silent = sessions.silent(holder.session) >= silence.toNanos();
        if (silent) {
            end(holder.session);
        }
        return silent;
    }
}
