package org.beefs.honeybee.filesystem.lock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockOwner;
import org.beefs.common.wire.LockPart;
import org.beefs.common.wire.LockRange;

/**
 * The owners that may hold locks through this mount, by file. An owner is known from his first request until he holds
 * nothing, at the latest until the file is closed. Thread-safe.
 */
final class LockHolders {
    /** An owner and a file. */
    record Key(long inode, LockOwner owner) {}

    /** Guarded by the table. */
    private static final class Holder {
        /** Handles through which he has asked for locks that he may hold, or may get. */
        final Map<Long, Asked> handles = new HashMap<>();

        /** Requests that have not been answered. */
        int underWay;

        /** A clock, which goes on with each request and each grant. */
        long clock;

        /** Whether he may hold a lock. */
        boolean holding;

        /**
         * The parts of the file that he holds. Stays empty for flock(2): what that converts he has given up before, and
         * does not get back.
         */
        final HeldParts parts = new HeldParts();

        /** Done when everything that was to be unlocked so far is. */
        CompletableFuture<Void> unlocked = CompletableFuture.completedFuture(null);
    }

    /** Requests for locks through one handle. Guarded by the table. */
    private static final class Asked {
        /** {@link Holder#clock} when one of them was last granted; 0 when none was. */
        long granted;

        /** Ranges of the requests that have not been answered. */
        final List<LockRange> underWay = new ArrayList<>();

        /** What was locked through it, and not through another one since. Stays empty for flock(2). */
        final HeldParts parts = new HeldParts();

        /** Whether the open file is gone. */
        boolean released;

        boolean isWaiting() {
            return !underWay.isEmpty();
        }
    }

    // Guarded by this.
    private final Map<Key, Holder> holders = new HashMap<>();
    private final Map<Long, Set<Key>> byHandle = new HashMap<>();

    /** How many owners are known of a file. */
    private final Map<Long, Integer> owners = new HashMap<>();

    /** Whether any owner is known: where nobody locks, whoever opens or closes a file waits for nobody here. */
    private volatile boolean any;

    synchronized boolean isKnown(Key key) {
        return holders.containsKey(key);
    }

    /** Whether anybody may hold locks on the file. */
    boolean anyOf(long inode) {
        return any && isLocked(inode);
    }

    private synchronized boolean isLocked(long inode) {
        return owners.containsKey(inode);
    }

    synchronized List<Key> all() {
        return List.copyOf(holders.keySet());
    }

    /** Owners who have asked for locks through an open file. */
    List<Key> through(long handle) {
        return any ? knownThrough(handle) : List.of();
    }

    private synchronized List<Key> knownThrough(long handle) {
        return List.copyOf(byHandle.getOrDefault(handle, Set.of()));
    }

    /** The owner's programs are told that he holds the range like this, for he has asked so through this handle. */
    synchronized void tell(Key key, long handle, LockRange range, LockMode mode) {
        Holder holder = holders.get(key);
        if (holder != null && !key.owner.getFlock()) {
            holder.parts.set(range, mode);
            Asked asked = holder.handles.get(handle);
            if (asked != null) {
                asked.parts.set(range, mode);
            }
        }
    }

    /** The owner's programs are told that he does not hold the range. */
    synchronized void tellUnlocked(Key key, LockRange range) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.parts.set(range, LockMode.UNLOCKED);
            holder.handles.values().forEach(asked -> asked.parts.set(range, LockMode.UNLOCKED));
        }
    }

    /** How the owner holds the parts of a range, as its programs were told. */
    synchronized List<LockPart> told(Key key, LockRange range) {
        Holder holder = holders.get(key);
        return (holder == null ? new HeldParts() : holder.parts).within(range);
    }

    /**
     * An owner is about to lock. Done when what he was to unlock before is, so that the lock is not taken away with it.
     * The end of another handle does not unlock the range until {@link #endLocking}.
     */
    CompletableFuture<Void> beginLocking(Key key, long handle, LockRange range) {
        Holder holder;
        synchronized (this) {
            holder = begin(key);
            holder.handles
                    .computeIfAbsent(handle, fresh -> new Asked())
                    .underWay
                    .add(range);
            byHandle.computeIfAbsent(handle, fresh -> new HashSet<>()).add(key);
        }
        return unlocked(holder);
    }

    /**
     * A request has been answered. Says what is to be unlocked now: what was locked through handles that are gone, and
     * was left locked as long as this request asked for it.
     */
    synchronized List<LockRange> endLocking(Key key, long handle, LockRange range, boolean granted) {
        Holder holder = holders.get(key);
        if (holder == null) {
            return List.of();
        }
        holder.underWay--;
        Asked asked = Objects.requireNonNull(holder.handles.get(handle));
        asked.underWay.remove(range);
        if (granted) {
            asked.granted = ++holder.clock;
            holder.holding = true;
            holder.handles.values().stream()
                    .filter(other -> other != asked)
                    .forEach(other -> other.parts.set(range, LockMode.UNLOCKED));
        }
        List<LockRange> left = new ArrayList<>();
        Map.copyOf(holder.handles).forEach((other, gone) -> {
            if (gone.released) {
                left.addAll(leftBy(key, holder, other, gone));
            }
        });
        forgetIfIdle(key, holder);
        return left;
    }

    /**
     * Answers what {@link #endUnlocking} wants to know.
     *
     * @param over done when it is unlocked
     */
    synchronized long beginUnlocking(Key key, CompletableFuture<Void> over) {
        long begun = begin(key).clock;
        letOthersWait(key, over);
        return begun;
    }

    /**
     * An unlock has been answered.
     *
     * @param begun when it was begun
     * @param nothingHeld the owner held nothing more at that time; what he asked for meanwhile may have been granted
     *     since
     */
    synchronized void endUnlocking(Key key, long begun, boolean nothingHeld) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.underWay--;
            holder.holding &= !nothingHeld || holder.underWay > 0;
            if (nothingHeld) {
                leaveHandles(key, holder, begun);
            }
            forgetIfIdle(key, holder);
        }
    }

    /**
     * An open file is gone; the kernel says so some time after it was closed. Says what is to be unlocked: all that the
     * owner has, or, if he has locked through another one since, what was locked through this one. What he is just
     * asking for through others waits for {@link #endLocking}.
     */
    synchronized List<LockRange> release(Key key, long handle) {
        Holder holder = holders.get(key);
        Asked gone = holder == null ? null : holder.handles.get(handle);
        if (holder == null || gone == null) {
            return List.of();
        }
        gone.released = true;
        return leftBy(key, holder, handle, gone);
    }

    private List<LockRange> leftBy(Key key, Holder holder, long handle, Asked gone) {
        List<Asked> others =
                holder.handles.values().stream().filter(other -> other != gone).toList();
        if (others.stream().noneMatch(other -> other.isWaiting() || other.granted > gone.granted)) {
            return List.of(HeldParts.ALL);
        }
        HeldParts free = gone.parts.copy();
        others.forEach(other -> other.underWay.forEach(range -> free.set(range, LockMode.UNLOCKED)));
        List<LockRange> left = free.held();
        left.forEach(range -> gone.parts.set(range, LockMode.UNLOCKED));
        if (!gone.isWaiting() && others.stream().noneMatch(Asked::isWaiting)) {
            holder.handles.remove(handle);
            leave(key, handle);
        }
        return left;
    }

    /** Lets what the owner locks from now on wait. */
    synchronized void letOthersWait(Key key, CompletableFuture<Void> over) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.unlocked = CompletableFuture.allOf(holder.unlocked, over);
        }
    }

    /**
     * Forgets the handles through which the owner was granted locks only before this time. These are not held any more,
     * so the end of a handle must not take away what is locked through others.
     */
    private void leaveHandles(Key key, Holder holder, long before) {
        holder.handles.entrySet().removeIf(handle -> {
            Asked asked = handle.getValue();
            boolean over = !asked.isWaiting() && asked.granted < before;
            if (over) {
                leave(key, handle.getKey());
            }
            return over;
        });
    }

    private void leave(Key key, Long handle) {
        byHandle.computeIfPresent(handle, (same, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
    }

    private Holder begin(Key key) {
        Holder holder = holders.computeIfAbsent(key, fresh -> {
            owners.merge(key.inode, 1, Integer::sum);
            return new Holder();
        });
        any = true;
        holder.underWay++;
        holder.clock++;
        return holder;
    }

    /**
     * Done when all that is to be unlocked for the owner is: more may have come by the time that what was known is
     * done.
     */
    private CompletableFuture<Void> unlocked(Holder holder) {
        CompletableFuture<Void> now;
        synchronized (this) {
            now = holder.unlocked;
        }
        return now.isDone() ? now : now.thenCompose(done -> unlocked(holder));
    }

    private void forgetIfIdle(Key key, Holder holder) {
        if (holder.underWay > 0 || holder.holding) {
            return;
        }
        holders.remove(key);
        any = !holders.isEmpty();
        owners.computeIfPresent(key.inode, (same, count) -> count > 1 ? count - 1 : null);
        holder.handles.keySet().forEach(handle -> leave(key, handle));
    }
}
