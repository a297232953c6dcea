package org.beefs.queenbee.lock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All locks of a hive, and who waits for one. As Linux does it: whoever is not in conflict with a lock that is held
 * gets his at once, even when others wait; those who wait are served in the order in which they came, as soon as
 * nothing is in their way. Not thread-safe.
 */
public final class LockTable {
    /** The result of asking for a lock. */
    public enum Outcome {
        GRANTED,
        /** The listener will be told when it is granted. */
        WAITING,
        /** Somebody is in the way, and waiting was not wanted. */
        CONFLICT,
        /** Waiting would be for ever: whoever is in the way waits for the one who asks. */
        DEADLOCK,
        /** There are as many locks or waiters as there may be. */
        FULL
    }

    /** Hears how the table changes. */
    public interface Listener {
        void added(Lock lock);

        void removed(Lock lock);

        /** The waiter has got what he waited for. */
        void granted(Waiter waiter);
    }

    /**
     * Bounds of the table. Splitting a lock by unlocking its middle is always possible, and so is granting to those who
     * wait.
     *
     * @param locksOfFile locks of one kind that may be held on a file
     * @param locksOfSession locks that a session may hold
     * @param waitersOfSession requests of a session that may wait
     */
    public record Limits(int locksOfFile, int locksOfSession, int waitersOfSession) {}

    /** The locks that can meet: those of one kind on one file. */
    record File(long inode, Owner.Kind kind) {
        static File of(Wanted wanted) {
            return new File(wanted.inode(), wanted.owner().kind());
        }

        static File of(Lock lock) {
            return new File(lock.inode(), lock.owner().kind());
        }
    }

    /**
     * After so many owners that were looked at, a search for a deadlock ends with the step it is at, and the request
     * waits: a few ms. Linux gives up after 10 steps.
     */
    static final int MOST_LOOKED_AT = 16_384;

    private final Limits limits;
    private final LongSupplier numbers;
    private final Listener listener;
    private final Map<File, FileLocks> files = new HashMap<>();
    private final Map<Long, Integer> ofSession = new HashMap<>();
    private final Waiters waiters = new Waiters();
    private long lookedAt;

    /** @param numbers gives a lock's number, each once */
    public LockTable(Limits limits, LongSupplier numbers, Listener listener) {
        this.limits = limits;
        this.numbers = numbers;
        this.listener = listener;
    }

    /** While loading. The listener does not hear of it. */
    public void load(Lock lock) {
        add(lock);
    }

    /** Number of locks. */
    public int size() {
        return ofSession.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Number of requests that wait. */
    public int waiting() {
        return waiters.size();
    }

    /**
     * Owners among whom was looked for those who are in the way, by searches for deadlocks and for those who wait; for
     * tests.
     */
    long lookedAt() {
        return lookedAt;
    }

    /** A lock that a waiter waits for; empty when he waits no more. */
    public Optional<Lock> inTheWay(long session, long ticket) {
        Waiter waiter = waiters.find(session, ticket);
        return waiter == null ? Optional.empty() : conflict(waiter.wanted());
    }

    /** Requests that wait for locks, in the order in which they came. */
    public List<Waiter> waiters(int most) {
        return waiters.first(most);
    }

    /** Number of locks that a session holds. */
    public int count(long session) {
        return ofSession.getOrDefault(session, 0);
    }

    /** Locks that a session holds, at most so many. */
    public List<Lock> held(long session, int most) {
        return files.values().stream()
                .flatMap(locks -> locks.of(session).stream())
                .limit(Math.min(most, count(session)))
                .toList();
    }

    public boolean isHeldBy(long inode, Owner owner) {
        FileLocks locks = files.get(new File(inode, owner.kind()));
        return locks != null && locks.isHeldBy(owner);
    }

    /** A lock that is in the way of this. */
    public Optional<Lock> conflict(Wanted wanted) {
        FileLocks locks = files.get(File.of(wanted));
        return locks == null ? Optional.empty() : locks.firstConflict(wanted);
    }

    /**
     * Asks for a lock. Asking again with the ticket of a waiter does not lose its place; asking then without waiting
     * ends its waiting.
     */
    public Outcome lock(Wanted wanted, long ticket, boolean wait) {
        Waiter known = waiters.find(wanted.owner().session(), ticket);
        if (known != null && wait) {
            return Outcome.WAITING;
        }
        if (known != null) {
            waiters.remove(known);
            return Outcome.CONFLICT;
        }
        FileLocks locks = files.getOrDefault(File.of(wanted), new FileLocks());
        OwnerLocks.Change change = locks.change(wanted.owner(), wanted.range(), wanted.mode());
        if (change.isEmpty()) {
            return Outcome.GRANTED;
        }
        if (wanted.owner().kind() == Owner.Kind.FLOCK) {
            return convert(wanted, ticket, wait);
        }
        return decide(wanted, ticket, wait);
    }

    /** A request waits no more, if it does. */
    public void endWaiting(long session, long ticket) {
        Waiter waiter = waiters.find(session, ticket);
        if (waiter != null) {
            waiters.remove(waiter);
        }
    }

    /** Takes away what the owner holds of the range, if anything. */
    public void unlock(long inode, Owner owner, Range range) {
        File file = new File(inode, owner.kind());
        serve(file, set(file, owner, range, null, 0));
    }

    /** All that a session holds and waits for is gone. */
    public void endSession(long session) {
        waiters.ofSession(session).forEach(waiters::remove);
        List<Lock> held = files.values().stream()
                .flatMap(locks -> locks.of(session).stream())
                .toList();
        held.forEach(this::removed);
        Map<File, Range> given = new LinkedHashMap<>();
        held.forEach(lock -> given.merge(File.of(lock), lock.range(), Range::and));
        given.forEach(this::serve);
    }

    /**
     * As flock(2) changes a lock: it gives the old one up first, and does not get it back. Two who share a file and
     * both want it for themselves would otherwise wait for each other.
     */
    private Outcome convert(Wanted wanted, long ticket, boolean wait) {
        File file = File.of(wanted);
        Range given = set(file, wanted.owner(), Range.ALL, null, 0);
        Outcome outcome = decide(wanted, ticket, wait);
        serve(file, given);
        return outcome;
    }

    private Outcome decide(Wanted wanted, long ticket, boolean wait) {
        File file = File.of(wanted);
        FileLocks locks = files.getOrDefault(file, new FileLocks());
        if (locks.hasConflict(wanted)) {
            return wait ? enqueue(new Waiter(ticket, wanted)) : Outcome.CONFLICT;
        }
        long session = wanted.owner().session();
        if (locks.size() >= limits.locksOfFile || ofSession.getOrDefault(session, 0) >= limits.locksOfSession) {
            return Outcome.FULL;
        }
        serve(file, set(file, wanted.owner(), wanted.range(), wanted.mode(), wanted.pid()));
        return Outcome.GRANTED;
    }

    private Outcome enqueue(Waiter waiter) {
        Wanted wanted = waiter.wanted();
        if (waiters.count(wanted.owner().session()) >= limits.waitersOfSession) {
            return Outcome.FULL;
        }
        if (wanted.owner().kind() == Owner.Kind.RECORD && wouldWaitForItself(wanted)) {
            return Outcome.DEADLOCK;
        }
        waiters.add(waiter);
        return Outcome.WAITING;
    }

    /** Follows the owners in the way to all owners that these wait for, over all files, as far as the bound goes. */
    private boolean wouldWaitForItself(Wanted wanted) {
        long end = lookedAt + MOST_LOOKED_AT;
        Set<Owner> seen = new HashSet<>();
        Deque<Wanted> open = new ArrayDeque<>(List.of(wanted));
        for (Wanted next = open.poll(); next != null && lookedAt < end; next = open.poll()) {
            for (Owner blocking : blocking(next)) {
                if (blocking.equals(wanted.owner())) {
                    return true;
                }
                if (seen.add(blocking)) {
                    waiters.of(blocking).forEach(waiter -> open.add(waiter.wanted()));
                }
            }
        }
        return false;
    }

    private List<Owner> blocking(Wanted wanted) {
        FileLocks locks = files.get(File.of(wanted));
        if (locks == null) {
            return List.of();
        }
        lookedAt += locks.owners();
        return locks.conflicts(wanted).stream().map(Lock::owner).toList();
    }

    /**
     * Some of the range was given up, if there is one: grants what nothing is in the way of any more, which may in turn
     * give something up. A waiter that wants none of the given-up range is still blocked by what blocked it before.
     */
    private void serve(File file, @Nullable Range range) {
        Range given = range;
        while (given != null) {
            Range next = null;
            for (Waiter waiter : waiters.forFile(file)) {
                Range wanted = waiter.wanted().range();
                boolean concerned = wanted.overlaps(given) || (next != null && wanted.overlaps(next));
                if (concerned && isFree(file, waiter.wanted())) {
                    next = hull(next, grant(file, waiter));
                }
            }
            given = next;
        }
    }

    private boolean isFree(File file, Wanted wanted) {
        FileLocks locks = files.get(file);
        if (locks == null) {
            return true;
        }
        lookedAt += locks.owners();
        return !locks.hasConflict(wanted);
    }

    private static @Nullable Range hull(@Nullable Range one, @Nullable Range other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.and(other);
    }

    /** Returns what may have been given up by that, as {@link #set} does. */
    private @Nullable Range grant(File file, Waiter waiter) {
        waiters.remove(waiter);
        Wanted wanted = waiter.wanted();
        Range given = set(file, wanted.owner(), wanted.range(), wanted.mode(), wanted.pid());
        listener.granted(waiter);
        return given;
    }

    /**
     * Makes the owner hold the range like this, or not at all.
     *
     * @return a range that covers all of it that the owner held otherwise before; null when that is nothing
     */
    private @Nullable Range set(File file, Owner owner, Range range, @Nullable Mode mode, int pid) {
        FileLocks locks = files.getOrDefault(file, new FileLocks());
        OwnerLocks.Change change = locks.change(owner, range, mode);
        // Whose lock it was stays known when only a part of it is left.
        int rest =
                change.removed().isEmpty() ? pid : change.removed().getFirst().pid();
        Range given = null;
        for (Lock lock : change.removed()) {
            removed(lock);
            given = lock.range().overlaps(range) ? hull(given, lock.range()) : given;
        }
        for (OwnerLocks.Piece piece : change.added()) {
            int of = piece.mode() == mode ? pid : rest;
            Lock lock = new Lock(numbers.getAsLong(), file.inode, owner, piece.mode(), piece.range(), of);
            add(lock);
            listener.added(lock);
        }
        return given == null ? null : given.within(range);
    }

    private void add(Lock lock) {
        files.computeIfAbsent(File.of(lock), file -> new FileLocks()).add(lock);
        ofSession.merge(lock.owner().session(), 1, Integer::sum);
    }

    private void removed(Lock lock) {
        files.computeIfPresent(File.of(lock), (file, locks) -> {
            locks.remove(lock);
            return locks.isEmpty() ? null : locks;
        });
        ofSession.computeIfPresent(lock.owner().session(), (session, count) -> count > 1 ? count - 1 : null);
        listener.removed(lock);
    }
}
