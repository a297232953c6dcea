package org.beefs.queenbee.lease;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.Recall;
import org.beefs.queenbee.namespace.Touched;
import org.beefs.queenbee.session.DesktopConnection;
import org.jspecify.annotations.Nullable;

/**
 * Clearances for which holders have yet to let go of leases: of requests that wait for that, and some that nobody waits
 * for. A holder is told of many in one message, and has one message to answer at a time; what comes meanwhile is in the
 * next. Belongs to the namespace thread.
 */
public final class Recalls {
    /** Clearances in one message, so that it fits into a frame: none touches more than four entries of 255 bytes. */
    static final int BATCH = 1000;

    private final Holders holders;
    private final Set<Holder> awaited = new LinkedHashSet<>();
    private final Queue<Clearance> ready = new ArrayDeque<>();
    private int waiting;
    private long sent;

    Recalls(Holders holders) {
        this.holders = holders;
    }

    /** What is to be sent now, behind all answers that were given before: these may carry what it recalls. */
    public List<SentRecall> begin() {
        List<SentRecall> begun = new ArrayList<>();
        for (Holder holder : awaited) {
            DesktopConnection connection = holder.session.connection();
            if (connection != null && holder.underWay == null && holder.hasUnsaid()) {
                SentRecall recall = say(holder, connection);
                holder.underWay = recall;
                begun.add(recall);
            }
        }
        sent += begun.size();
        return begun;
    }

    /** Whether an answer to it is still wanted. */
    public boolean isUnderWay(SentRecall recall) {
        return recall.holder.underWay == recall;
    }

    /**
     * The desktop has let go.
     *
     * @param released directories whose leases it gives up; none when there are more than the recall has named
     */
    public void answered(SentRecall recall, List<Long> released) {
        if (!isUnderWay(recall)) {
            return;
        }
        Holder holder = recall.holder;
        holder.underWay = null;
        if (recall.everything) {
            holders.takeFormer(holder);
        }
        boolean possible = released.size() <= recall.request().getRecall().getEntriesCount();
        Set<Long> givenUp = possible ? Set.copyOf(released) : Set.of();
        for (Clearance clearance : recall.clearances) {
            clearance.inodes.forEach(inode -> holders.takeInode(holder, inode));
            clearance.entries.stream()
                    .map(Touched.Entry::directory)
                    .filter(givenUp::contains)
                    .forEach(directory -> holders.take(holder, Lease.DIRECTORY, directory));
        }
        recall.clearances.forEach(clearance -> letGo(clearance, holder));
        letGoOfNothing(holder);
        forgetUnlessAwaited(holder);
    }

    /** The recall has failed: what it said is to be said again, if the session is ever to be told anything. */
    public void takeBack(SentRecall recall) {
        if (isUnderWay(recall)) {
            Holder holder = recall.holder;
            holder.underWay = null;
            holder.tellsFormer |= recall.everything;
            recall.clearances.stream()
                    .filter(clearance -> clearance.awaited.contains(holder))
                    .forEach(holder.unsaid::add);
        }
    }

    /** A clearance for which all have let go; null when there is none. */
    public @Nullable Clearance nextReady() {
        return ready.poll();
    }

    public boolean isAwaitingAnybody() {
        return !awaited.isEmpty();
    }

    /** Messages sent since the start. */
    public long sent() {
        return sent;
    }

    /** Clearances for which not all have let go, whether a request waits for that or not. */
    public int waiting() {
        return waiting;
    }

    /** The holders in the way are to let go of what was added to the clearance. */
    void add(Clearance clearance, Set<Holder> inTheWay) {
        waiting++;
        for (Holder holder : inTheWay) {
            clearance.awaited.add(holder);
            holder.unsaid.add(clearance);
            awaited.add(holder);
        }
    }

    /** Everything that the holder had is recalled. */
    void addFormer(Holder holder) {
        holder.tellsFormer = true;
        awaited.add(holder);
    }

    /** Nobody needs the clearance any more. */
    void remove(Clearance clearance) {
        if (!clearance.awaited.isEmpty()) {
            waiting--;
            for (Holder holder : clearance.awaited) {
                holder.unsaid.remove(clearance);
                forgetUnlessAwaited(holder);
            }
            clearance.awaited.clear();
        }
    }

    /** The holder has nothing any more. */
    void end(Holder holder) {
        List<Clearance> released = new ArrayList<>(holder.unsaid);
        if (holder.underWay != null) {
            released.addAll(0, holder.underWay.clearances);
            holder.underWay = null;
        }
        holder.unsaid.clear();
        awaited.remove(holder);
        released.forEach(clearance -> letGo(clearance, holder));
    }

    Set<Holder> awaited() {
        return awaited;
    }

    /** Ends the wait of each clearance for which the holder has nothing left to let go of. */
    private void letGoOfNothing(Holder holder) {
        List<Clearance> moot = holder.unsaid.stream()
                .filter(clearance -> !holders.holdsAny(holder, clearance))
                .toList();
        moot.forEach(clearance -> {
            holder.unsaid.remove(clearance);
            letGo(clearance, holder);
        });
    }

    private void forgetUnlessAwaited(Holder holder) {
        if (!holder.isAwaited()) {
            awaited.remove(holder);
        }
    }

    private void letGo(Clearance clearance, Holder holder) {
        if (clearance.awaited.remove(holder) && clearance.awaited.isEmpty()) {
            waiting--;
            ready.add(clearance);
        }
    }

    private SentRecall say(Holder holder, DesktopConnection connection) {
        List<Clearance> clearances = new ArrayList<>();
        for (Iterator<Clearance> unsaid = holder.unsaid.iterator(); unsaid.hasNext() && clearances.size() < BATCH; ) {
            clearances.add(unsaid.next());
            unsaid.remove();
        }
        boolean everything = holder.tellsFormer;
        holder.tellsFormer = false;
        DesktopRequest request = DesktopRequest.newBuilder()
                .setRecall(recall(holder, clearances, everything))
                .build();
        return new SentRecall(holder, connection, request, clearances, everything);
    }

    /** The message, which names what the holder really has, each once. */
    private Recall recall(Holder holder, List<Clearance> clearances, boolean everything) {
        Set<Touched.Entry> entries = new LinkedHashSet<>();
        Set<Long> inodes = new LinkedHashSet<>();
        for (Clearance clearance : clearances) {
            clearance.entries.stream()
                    .filter(entry -> holders.holds(holder, Lease.DIRECTORY, entry.directory()))
                    .forEach(entries::add);
            clearance.inodes.stream()
                    .filter(inode -> holders.holdsInode(holder, inode))
                    .forEach(inodes::add);
        }
        Recall.Builder recall = Recall.newBuilder().setEverything(everything).addAllInodes(inodes);
        entries.forEach(entry -> recall.addEntries(name(entry.directory(), entry.name())));
        return recall.build();
    }

    private static EntryName name(long directory, ByteString name) {
        return EntryName.newBuilder().setDirectory(directory).setName(name).build();
    }
}
