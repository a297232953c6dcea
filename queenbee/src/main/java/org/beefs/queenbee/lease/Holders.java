package org.beefs.queenbee.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/** The sessions behind the slots of the {@link LeaseTable}. Belongs to the namespace thread. */
final class Holders {
    private final LeaseTable table = new LeaseTable();
    private final Map<Session, Holder> bySession = new HashMap<>();
    private final List<@Nullable Holder> bySlot = new ArrayList<>();

    /** Leases that are held. */
    long leases() {
        return table.size();
    }

    /** Rows of the table that hold them. */
    int rows() {
        return table.rows();
    }

    /** Frees the rows of leases that have ended. */
    void compact() {
        table.compact();
    }

    @Nullable
    Holder find(Session session) {
        return bySession.get(session);
    }

    Holder of(Session session) {
        return bySession.computeIfAbsent(session, s -> {
            Holder holder = new Holder(s, table.newSlot());
            occupy(holder.slot, holder);
            return holder;
        });
    }

    /**
     * The holders of leases on what is touched, without what the clearance has cleared, and without its own session.
     */
    Set<Holder> inTheWay(Clearance by, Touched touched) {
        Set<Holder> found = new LinkedHashSet<>();
        for (Touched.Entry entry : touched.entries()) {
            if (!by.entries.contains(entry)) {
                table.forEachHolder(entry.directory(), Lease.DIRECTORY, slot -> found.add(at(slot)));
            }
        }
        for (Inode inode : touched.inodes()) {
            forEachHolder(inode.number(), found::add);
        }
        found.removeIf(holder -> by.isOf(holder.session));
        return found;
    }

    /** Whether anybody else holds a lease on an inode's attributes, or on changing it. */
    boolean othersHold(Session session, long inode) {
        boolean[] found = new boolean[1];
        forEachHolder(inode, holder -> found[0] |= holder.session != session);
        return found[0];
    }

    /** Whether somebody else holds the lease on writing an inode. */
    boolean anotherWrites(@Nullable Session session, long inode) {
        return anotherHolds(Lease.WRITE, session, inode);
    }

    /** Whether somebody else holds the delegation of an inode. */
    boolean anotherDecides(@Nullable Session session, long inode) {
        return anotherHolds(Lease.DELEGATION, session, inode);
    }

    /** Whether somebody else holds the lease on the names in a directory. */
    boolean anotherKnowsNames(Session session, long directory) {
        return anotherHolds(Lease.DIRECTORY, session, directory);
    }

    private boolean anotherHolds(Lease lease, @Nullable Session session, long inode) {
        Holder own = session == null ? null : bySession.get(session);
        return own == null
                ? table.isHeldByOthers(inode, lease, Holder.NONE, Holder.NONE)
                : table.isHeldByOthers(inode, lease, own.slot, own.former);
    }

    /** Leases that the holder has, without those that are being recalled as a whole. */
    int count(Holder holder) {
        return table.count(holder.slot);
    }

    /** Whether the holder has no leases at all. */
    boolean isEmpty(Holder holder) {
        return holder.former == Holder.NONE && table.count(holder.slot) == 0;
    }

    boolean holds(Holder holder, Lease lease, long inode) {
        return table.holds(inode, lease, holder.slot)
                || (holder.former != Holder.NONE && table.holds(inode, lease, holder.former));
    }

    /** Whether the holder has any lease on what the clearance is about. */
    boolean holdsAny(Holder holder, Clearance clearance) {
        return (clearance.everythingOf == holder.session && !isEmpty(holder))
                || clearance.inodes.stream().anyMatch(inode -> holdsInode(holder, inode))
                || clearance.entries.stream().anyMatch(entry -> holds(holder, Lease.DIRECTORY, entry.directory()));
    }

    /** Whether the holder has a lease that ends when the inode is recalled. */
    boolean holdsInode(Holder holder, long inode) {
        return holds(holder, Lease.ATTRIBUTES, inode)
                || holds(holder, Lease.WRITE, inode)
                || holds(holder, Lease.DELEGATION, inode);
    }

    /** The inode was recalled from the holder. */
    void takeInode(Holder holder, long inode) {
        take(holder, Lease.ATTRIBUTES, inode);
        take(holder, Lease.WRITE, inode);
        take(holder, Lease.DELEGATION, inode);
    }

    /** Whether the holder has the lease otherwise than among those that are being recalled as a whole. */
    boolean holdsAnew(Holder holder, Lease lease, long inode) {
        return table.holds(inode, lease, holder.slot);
    }

    void grant(Holder holder, Lease lease, long inode) {
        table.add(inode, lease, holder.slot);
    }

    void take(Holder holder, Lease lease, long inode) {
        table.remove(inode, lease, holder.slot);
        if (holder.former != Holder.NONE) {
            table.remove(inode, lease, holder.former);
        }
    }

    void takeFromAll(Lease lease, long inode) {
        table.removeAll(inode, lease);
    }

    /**
     * What the holder has now is to be recalled as a whole; leases that it is granted from here on do not belong to
     * that.
     */
    void setApart(Holder holder) {
        holder.former = holder.slot;
        holder.slot = table.newSlot();
        occupy(holder.slot, holder);
    }

    /** Takes the leases that were set apart. */
    void takeFormer(Holder holder) {
        vacate(holder.former);
        holder.former = Holder.NONE;
    }

    /** Takes all leases of the holder. */
    void end(Holder holder) {
        bySession.remove(holder.session);
        vacate(holder.slot);
        if (holder.former != Holder.NONE) {
            takeFormer(holder);
        }
    }

    Collection<Holder> all() {
        return bySession.values();
    }

    private void forEachHolder(long inode, Consumer<Holder> visitor) {
        table.forEachHolder(inode, Lease.ATTRIBUTES, slot -> visitor.accept(at(slot)));
        table.forEachHolder(inode, Lease.WRITE, slot -> visitor.accept(at(slot)));
        table.forEachHolder(inode, Lease.DELEGATION, slot -> visitor.accept(at(slot)));
    }

    private Holder at(int slot) {
        Holder holder = bySlot.get(slot);
        if (holder == null) {
            throw new IllegalStateException("nobody is at slot " + slot);
        }
        return holder;
    }

    private void occupy(int slot, Holder holder) {
        while (bySlot.size() <= slot) {
            bySlot.add(null);
        }
        bySlot.set(slot, holder);
    }

    private void vacate(int slot) {
        table.end(slot);
        bySlot.set(slot, null);
    }
}
