package org.beefs.queenbee.lock;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.lock.LockTable.Outcome;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.state.LockRecord;

/**
 * The hive's locks in memory and on disk: what is held outlives the queen-bee, and ends with its session. Who waits is
 * known in memory only, because desktops ask again after a restart. Belongs to the namespace thread.
 */
public final class Locks {
    /** Looking for what is in the way takes time in proportion to the owners of a file's locks. */
    static final LockTable.Limits LIMITS = new LockTable.Limits(8192, 65_536, 4096);

    private final Journal journal;
    private final Numbering numbering;
    private final LockTable table = new LockTable(LIMITS, this::nextNumber, new Recorder());
    private Map<Long, List<Long>> granted = new LinkedHashMap<>();
    private long lastNumber;

    public Locks(Journal journal, Numbering numbering) {
        this.journal = journal;
        this.numbering = numbering;
    }

    /** As {@link LockTable#lock}. */
    public Outcome lock(Wanted wanted, long ticket, boolean wait) {
        return table.lock(wanted, ticket, wait);
    }

    /** As {@link LockTable#endWaiting}. */
    public void endWaiting(Session session, long ticket) {
        table.endWaiting(session.number(), ticket);
    }

    /** As {@link LockTable#unlock}. */
    public void unlock(long inode, Owner owner, Range range) {
        table.unlock(inode, owner, range);
    }

    public Optional<Lock> conflict(Wanted wanted) {
        return table.conflict(wanted);
    }

    /** As {@link LockTable#inTheWay}. */
    public Optional<Lock> inTheWay(Session session, long ticket) {
        return table.inTheWay(session.number(), ticket);
    }

    /** As {@link LockTable#waiters}. */
    public List<Waiter> waiters(int most) {
        return table.waiters(most);
    }

    /** Number of locks that a session holds. */
    public int count(Session session) {
        return table.count(session.number());
    }

    /** Locks that a session holds, at most so many. */
    public List<Lock> held(Session session, int most) {
        return table.held(session.number(), most);
    }

    public boolean isHeldBy(long inode, Owner owner) {
        return table.isHeldBy(inode, owner);
    }

    public void endSession(Session session) {
        table.endSession(session.number());
        granted.remove(session.number());
    }

    /** Number of locks. */
    public int size() {
        return table.size();
    }

    /** Number of requests that wait. */
    public int waiting() {
        return table.waiting();
    }

    /** The tickets, by session, of those who have waited and got their locks since this was last asked. */
    public Map<Long, List<Long>> takeGranted() {
        Map<Long, List<Long>> taken = granted;
        if (!taken.isEmpty()) {
            granted = new LinkedHashMap<>();
        }
        return taken;
    }

    public void load(long session, long number, CodedInputStream encoded) throws IOException {
        LockRecord record = LockRecord.parseFrom(encoded);
        Owner.Kind kind = record.getFlock() ? Owner.Kind.FLOCK : Owner.Kind.RECORD;
        table.load(new Lock(
                number,
                record.getInode(),
                new Owner(session, record.getMount(), record.getOwner(), kind),
                record.getExclusive() ? Mode.EXCLUSIVE : Mode.SHARED,
                new Range(record.getStart(), record.getEnd()),
                record.getPid()));
        lastNumber = Math.max(lastNumber, number);
    }

    private long nextNumber() {
        lastNumber = numbering.after(lastNumber);
        return lastNumber;
    }

    private static LockRecord record(Lock lock) {
        return LockRecord.newBuilder()
                .setInode(lock.inode())
                .setMount(lock.owner().mount())
                .setOwner(lock.owner().id())
                .setFlock(lock.owner().kind() == Owner.Kind.FLOCK)
                .setExclusive(lock.mode() == Mode.EXCLUSIVE)
                .setStart(lock.range().start())
                .setEnd(lock.range().end())
                .setPid(lock.pid())
                .build();
    }

    /** Puts into the batch what changes, and notes who has to be told. */
    private final class Recorder implements LockTable.Listener {
        @Override
        public void added(Lock lock) {
            journal.batch().put(key(lock), () -> record(lock));
            journal.advance();
        }

        @Override
        public void removed(Lock lock) {
            journal.batch().delete(key(lock));
            journal.advance();
        }

        @Override
        public void granted(Waiter waiter) {
            granted.computeIfAbsent(waiter.wanted().owner().session(), session -> new ArrayList<>())
                    .add(waiter.ticket());
        }

        private static StateKey key(Lock lock) {
            return StateKey.lock(lock.owner().session(), lock.number());
        }
    }
}
