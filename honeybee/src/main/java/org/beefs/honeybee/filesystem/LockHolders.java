package org.beefs.honeybee.filesystem;

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
 * Who may hold locks on which files through this mount. An owner is known from his first request until he holds
 * nothing, at the latest until the file is closed. Thread-safe.
 */
final class LockHolders {
    /** An owner and a file. */
    record Key(long inode, LockOwner owner) {}

    /** Guarded by the table. */
    private static final class Holder {
        /** Through which he has asked for locks that he may hold, or may get. */
        final Map<Long, Asked> handles = new HashMap<>();

        /** Requests that have not been answered. */
        int underWay;

        /** Requests so far. */
        long begun;

        /** May hold a lock. */
        boolean holding;

        /** Stays empty for flock(2): what that converts it has given up before, and does not get back. */
        final HeldParts parts = new HeldParts();

        /** Done when everything that was to be unlocked so far is. */
        CompletableFuture<Void> unlocked = CompletableFuture.completedFuture(null);
    }

    /** Requests for locks through one handle. Guarded by the table. */
    private static final class Asked {
        /** {@link Holder#begun} when something was last heard of them. */
        long last;

        /** Those that have not been answered. */
        int underWay;

        /** What was locked through it, and not asked for through another one since. Stays empty for flock(2). */
        final HeldParts parts = new HeldParts();
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

    /** Whoever has asked for locks through an open file. */
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
     * The end of another handle does not unlock the range any more.
     */
    CompletableFuture<Void> beginLocking(Key key, long handle, LockRange range) {
        Holder holder;
        synchronized (this) {
            holder = begin(key);
            holder.handles.forEach((other, asked) -> {
                if (other != handle) {
                    asked.parts.set(range, LockMode.UNLOCKED);
                }
            });
            Asked asked = holder.handles.computeIfAbsent(handle, fresh -> new Asked());
            asked.last = holder.begun;
            asked.underWay++;
            byHandle.computeIfAbsent(handle, fresh -> new HashSet<>()).add(key);
        }
        return unlocked(holder);
    }

    synchronized void endLocking(Key key, long handle, boolean granted) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.underWay--;
            Asked asked = Objects.requireNonNull(holder.handles.get(handle));
            asked.last = holder.begun;
            asked.underWay--;
            holder.holding |= granted;
            forgetIfIdle(key, holder);
        }
    }

    /**
     * Answers what {@link #endUnlocking} wants to know.
     *
     * @param over done when it is unlocked
     */
    synchronized long beginUnlocking(Key key, CompletableFuture<Void> over) {
        long begun = begin(key).begun;
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
     * An open file is gone, as is said some time after it was closed. What is to be unlocked: all that the owner has,
     * or, if he has asked through another one since, what was locked through this one.
     */
    synchronized List<LockRange> release(Key key, long handle) {
        Holder holder = holders.get(key);
        Asked gone = holder == null ? null : holder.handles.get(handle);
        if (holder == null || gone == null) {
            return List.of();
        }
        if (holder.handles.values().stream().noneMatch(other -> other.last > gone.last)) {
            return List.of(HeldParts.ALL);
        }
        if (gone.underWay == 0) {
            holder.handles.remove(handle);
            leave(key, handle);
        }
        return gone.parts.held();
    }

    /** Lets what the owner locks from now on wait. */
    synchronized void letOthersWait(Key key, CompletableFuture<Void> over) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.unlocked = CompletableFuture.allOf(holder.unlocked, over);
        }
    }

    /**
     * What was asked for through them before is not held any more, so their end must not take away what is locked
     * through others.
     */
    private void leaveHandles(Key key, Holder holder, long before) {
        holder.handles.entrySet().removeIf(handle -> {
            Asked asked = handle.getValue();
            boolean over = asked.underWay == 0 && asked.last < before;
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
        holder.begun++;
        return holder;
    }

    /** More may have to be unlocked when that is done. */
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
