package org.beefs.honeybee.filesystem;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.FindLock;
import org.beefs.common.wire.FoundLock;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockOwner;
import org.beefs.common.wire.LockRange;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.SetLock;
import org.beefs.honeybee.Futures;
import org.beefs.honeybee.queen.OpenRecord;
import org.beefs.honeybee.queen.QueenProxy;
import org.jspecify.annotations.Nullable;

/**
 * Locks on files that programs have through this mount. The queen-bee has the locks; here it is only known who may hold some,
 * so that closing a file asks nobody when there is nothing to give up. Thread-safe. Bounded: an owner is known from his first
 * request until he holds nothing, at the latest until the file is closed.
 */
final class MountLocks {
    private static final LockRange ALL =
            LockRange.newBuilder().setEnd(Long.MAX_VALUE).build();

    /** How long the kernel, and this daemon, may take to tell that an open file is gone. */
    private static final Duration END_OF_OPEN = Duration.ofMillis(20);

    private record Key(long inode, LockOwner owner) {}

    /** What is known of an owner and a file. Guarded by the table. */
    private static final class Holder {
        /** Through which he has asked for locks. */
        final Set<Long> handles = new HashSet<>();

        /** Requests that have not been answered. */
        int underWay;

        /** May hold a lock. */
        boolean holding;

        /** Done when everything that was to be unlocked so far is. */
        CompletableFuture<Void> unlocked = CompletableFuture.completedFuture(null);
    }

    private final QueenProxy queen;
    private final HandleTable handles;
    private final Timers timers;
    private final Duration patience;
    private final Duration closePatience;
    private final long mount;

    // Guarded by this.
    private final Map<Key, Holder> holders = new HashMap<>();
    private final Map<Long, Set<Key>> byHandle = new HashMap<>();

    /** How many owners are known of a file. */
    private final Map<Long, Integer> owners = new HashMap<>();

    /**
     * @param patience how long a program waits for the queen-bee to unlock
     * @param closePatience how long close(2) waits for that: nobody can interrupt it
     */
    MountLocks(QueenProxy queen, HandleTable handles, Timers timers, Duration patience, Duration closePatience) {
        this.queen = queen;
        this.handles = handles;
        this.timers = timers;
        this.patience = patience;
        this.closePatience = closePatience;
        this.mount = queen.newMount();
    }

    /** The lock of another owner that is in the way, if any. */
    CompletableFuture<Optional<FoundLock>> find(long inode, FileLock wanted) {
        return queen.findLock(FindLock.newBuilder()
                .setInode(inode)
                .setOwner(owner(wanted.owner(), wanted.flock()))
                .setMode(wanted.mode())
                .setRange(wanted.range())
                .build());
    }

    /** As {@link FileSystem#setLock}. */
    CompletableFuture<Void> set(long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        Key key = new Key(inode, owner(lock.owner(), lock.flock()));
        if (lock.mode() == LockMode.UNLOCKED) {
            return Futures.within(timers, patience, unlock(key, lock.range())).thenAccept(MountLocks::checkDone);
        }
        handles.get(handle);
        return lock(handle, key, lock, interrupted);
    }

    /**
     * Whether closing a descriptor of this open file may take locks away. The kernel wants to know when it is opened: whoever can
     * write may lock; who can only read hardly ever does, unless others do.
     */
    synchronized boolean mayEndByClosing(OpenRecord open) {
        return open.write() || owners.containsKey(open.inode());
    }

    /** A process has closed a descriptor of the file: POSIX takes all its locks on the file away, whichever descriptor it was. */
    CompletableFuture<Void> closed(long inode, long owner) {
        Key key = new Key(inode, owner(owner, false));
        synchronized (this) {
            if (!holders.containsKey(key)) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return Futures.within(timers, closePatience, unlock(key, ALL)).thenAccept(inTime -> {});
    }

    /**
     * An open file description is gone, and with it whatever was locked through it: locks of flock(2), those of the description
     * itself, and those of processes, which have closed all their descriptors of it.
     */
    void released(long handle) {
        keysOf(handle).forEach(key -> unlock(key, ALL));
    }

    /** The mount is gone. */
    void releaseAll() {
        List<Key> all;
        synchronized (this) {
            all = List.copyOf(holders.keySet());
        }
        all.forEach(key -> unlock(key, ALL));
    }

    /** What is granted after its caller has cancelled it is unlocked, before its owner locks anything else. */
    private CompletableFuture<Void> lock(long handle, Key key, FileLock lock, CompletableFuture<Void> interrupted) {
        SetLock set = message(key, lock.mode(), lock.range()).setPid(lock.pid()).build();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        begin(key, handle)
                .thenCompose(ready -> {
                    interrupted.thenRun(() -> letOthersWait(key, over));
                    return ask(lock, set, interrupted);
                })
                .whenComplete((state, failure) -> {
                    locked(key, lock, failure);
                    if (failure != null) {
                        answer.completeExceptionally(Failures.toPosix(failure));
                    } else if (!answer.complete(null)) {
                        unlock(key, lock.range());
                    }
                    over.complete(null);
                });
        return answer;
    }

    private CompletableFuture<LockState> ask(FileLock lock, SetLock set, CompletableFuture<Void> interrupted) {
        if (interrupted.isDone()) {
            return Futures.failed(Errno.EINTR, "interrupted before it could be asked for");
        }
        return lock.waits() ? queen.lock(set, interrupted) : tryToLock(set);
    }

    /**
     * The kernel tells of the end of an open file, and so of its lock of flock(2), only after close(2) or the program has ended. So
     * that the next who comes does not find it locked, he looks twice.
     */
    private CompletableFuture<LockState> tryToLock(SetLock set) {
        return queen.tryToLock(set).exceptionallyCompose(failure -> {
            boolean again =
                    set.getOwner().getFlock() && Failures.toPosix(failure).errno() == Errno.EAGAIN;
            return again
                    ? Futures.after(timers, END_OF_OPEN).thenCompose(now -> queen.tryToLock(set))
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** A lock whose granting nobody has heard of is given up. */
    private void locked(Key key, FileLock lock, @Nullable Throwable failure) {
        boolean uncertain = failure != null && Failures.toPosix(failure).errno() == Errno.EIO;
        if (uncertain) {
            unlock(key, lock.range());
        }
        end(key, failure == null);
    }

    private CompletableFuture<LockState> unlock(Key key, LockRange range) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        synchronized (this) {
            Holder holder = holder(key);
            holder.underWay++;
            holder.unlocked = CompletableFuture.allOf(holder.unlocked, over);
        }
        return queen.unlock(message(key, LockMode.UNLOCKED, range).build()).whenComplete((state, failure) -> {
            unlocked(key, state != null && !state.getHeld());
            over.complete(null);
        });
    }

    /** Done when what was to be unlocked before is. */
    private CompletableFuture<Void> begin(Key key, long handle) {
        Holder holder;
        synchronized (this) {
            holder = holder(key);
            holder.underWay++;
            holder.handles.add(handle);
            byHandle.computeIfAbsent(handle, fresh -> new HashSet<>()).add(key);
        }
        return unlocked(holder);
    }

    /** More may have to be unlocked when that is done. */
    private CompletableFuture<Void> unlocked(Holder holder) {
        CompletableFuture<Void> now;
        synchronized (this) {
            now = holder.unlocked;
        }
        return now.isDone() ? now : now.thenCompose(done -> unlocked(holder));
    }

    /** A request that was interrupted may still be granted, and then has to be undone. */
    private synchronized void letOthersWait(Key key, CompletableFuture<Void> over) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.unlocked = CompletableFuture.allOf(holder.unlocked, over);
        }
    }

    private Holder holder(Key key) {
        return holders.computeIfAbsent(key, fresh -> {
            owners.merge(key.inode, 1, Integer::sum);
            return new Holder();
        });
    }

    private synchronized void end(Key key, boolean granted) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.underWay--;
            holder.holding |= granted;
            forgetIfIdle(key, holder);
        }
    }

    /** What was asked for meanwhile may have been granted since. */
    private synchronized void unlocked(Key key, boolean nothingHeld) {
        Holder holder = holders.get(key);
        if (holder != null) {
            holder.underWay--;
            holder.holding &= !nothingHeld || holder.underWay > 0;
            forgetIfIdle(key, holder);
        }
    }

    private void forgetIfIdle(Key key, Holder holder) {
        if (holder.underWay == 0 && !holder.holding) {
            holders.remove(key);
            owners.computeIfPresent(key.inode, (same, count) -> count > 1 ? count - 1 : null);
            for (Long handle : holder.handles) {
                byHandle.computeIfPresent(handle, (same, keys) -> {
                    keys.remove(key);
                    return keys.isEmpty() ? null : keys;
                });
            }
        }
    }

    private synchronized List<Key> keysOf(long handle) {
        return List.copyOf(byHandle.getOrDefault(handle, Set.of()));
    }

    private static void checkDone(Optional<LockState> unlocked) {
        if (unlocked.isEmpty()) {
            throw new PosixException(Errno.EIO, "the queen-bee has not unlocked yet, and will be asked until she has");
        }
    }

    private LockOwner owner(long id, boolean flock) {
        return LockOwner.newBuilder().setMount(mount).setId(id).setFlock(flock).build();
    }

    private static SetLock.Builder message(Key key, LockMode mode, LockRange range) {
        return SetLock.newBuilder()
                .setInode(key.inode)
                .setOwner(key.owner)
                .setMode(mode)
                .setRange(range);
    }
}
