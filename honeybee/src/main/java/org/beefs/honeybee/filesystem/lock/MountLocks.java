package org.beefs.honeybee.filesystem.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.FindLock;
import org.beefs.common.wire.FoundLock;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockOwner;
import org.beefs.common.wire.LockPart;
import org.beefs.common.wire.LockRange;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.SetLock;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.content.OpenHandle;
import org.beefs.honeybee.filesystem.content.OpenHandles;
import org.beefs.honeybee.queen.LockRequests;
import org.beefs.honeybee.queen.QueenProxy;
import org.jspecify.annotations.Nullable;

/**
 * Locks on files that programs have through this mount. The queen-bee has the locks; here it is only known who may hold
 * some ({@link LockHolders}), so that closing a file asks nobody when there is nothing to give up. Thread-safe.
 */
public final class MountLocks {
    private static final String NOT_UNLOCKED = "the queen-bee has not unlocked yet, and will be asked until she has";

    /** How long the kernel, and this daemon, may take to tell that an open file is gone. */
    private static final Duration END_OF_OPEN = Duration.ofMillis(20);

    private final LockRequests requests;
    private final OpenHandles handles;
    private final Timers timers;
    private final Duration patience;
    private final Duration closePatience;
    private final long mount;
    private final LockHolders holders = new LockHolders();

    /**
     * @param patience how long a program waits for the queen-bee to unlock; also one that locks after that, and does
     *     not want to wait
     * @param closePatience how long close(2) waits for that: nobody can interrupt it
     */
    public MountLocks(QueenProxy queen, OpenHandles handles, Timers timers, Duration patience, Duration closePatience) {
        this.requests = queen.locks();
        this.handles = handles;
        this.timers = timers;
        this.patience = patience;
        this.closePatience = closePatience;
        this.mount = queen.newMount();
    }

    /** The lock of another owner that is in the way, if any. */
    public CompletableFuture<Optional<FoundLock>> find(long inode, FileLock wanted) {
        return requests.find(FindLock.newBuilder()
                .setInode(inode)
                .setOwner(owner(wanted.owner(), wanted.flock()))
                .setMode(wanted.mode())
                .setRange(wanted.range())
                .build());
    }

    /** As {@link FileSystem#setLock}. */
    public CompletableFuture<Void> set(long handle, long inode, FileLock lock, CompletableFuture<Void> interrupted) {
        LockHolders.Key key = new LockHolders.Key(inode, owner(lock.owner(), lock.flock()));
        if (lock.mode() == LockMode.UNLOCKED) {
            return Futures.within(timers, patience, unlock(key, lock.range())).thenAccept(MountLocks::checkDone);
        }
        handles.get(handle);
        return lock(handle, key, lock, interrupted);
    }

    /**
     * Whether closing a descriptor of this open file may take locks away. The kernel wants to know when it is opened. A
     * program that opens a file only to write, or only to read, hardly ever locks it, unless others do.
     */
    public boolean mayEndByClosing(OpenHandle handle) {
        return handle.isForUpdate() || holders.anyOf(handle.open().inode());
    }

    /**
     * A process has closed a descriptor of the file: POSIX takes all its locks on the file away, whichever descriptor
     * it was.
     */
    public CompletableFuture<Void> closed(long inode, long owner) {
        LockHolders.Key key = new LockHolders.Key(inode, owner(owner, false));
        return holders.isKnown(key)
                ? Futures.within(timers, closePatience, unlock(key, HeldParts.ALL))
                        .thenAccept(inTime -> {})
                : CompletableFuture.completedFuture(null);
    }

    /**
     * An open file description is gone, and with it whatever was locked through it: locks of flock(2), those of the
     * description itself, and those of processes, which have closed all their descriptors of it. The kernel tells of it
     * some time later, so the next locks of these processes, through other open files, may be there already, and stay.
     */
    public void released(long handle) {
        holders.through(handle).forEach(key -> released(handle, key));
    }

    private void released(long handle, LockHolders.Key key) {
        unlock(key, () -> holders.release(key, handle));
    }

    /**
     * Unlocks what is found to be left. Who is about to lock either counts for that as having done so, or waits for the
     * unlocking.
     */
    private void unlock(LockHolders.Key key, Supplier<List<LockRange>> left) {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        holders.letOthersWait(key, begun);
        try {
            left.get().forEach(range -> unlock(key, range));
        } finally {
            begun.complete(null);
        }
    }

    /** The mount is gone. */
    public void releaseAll() {
        holders.all().forEach(key -> unlock(key, HeldParts.ALL));
    }

    private CompletableFuture<Void> lock(
            long handle, LockHolders.Key key, FileLock lock, CompletableFuture<Void> interrupted) {
        SetLock set = message(key, lock.mode(), lock.range())
                .setPid(lock.pid())
                .setTicket(requests.newTicket())
                .build();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        inTime(lock, holders.beginLocking(key, handle, lock.range())).thenAccept(ready -> {
            if (!ready) {
                ended(handle, key, lock.range(), false);
                answer.completeExceptionally(new PosixException(Errno.EIO, NOT_UNLOCKED));
                return;
            }
            interrupted.thenRun(() -> holders.letOthersWait(key, over));
            Futures.attempt(() -> ask(lock, set, interrupted)).whenComplete((state, failure) -> {
                locked(handle, key, set, failure);
                if (failure != null) {
                    answer.completeExceptionally(Failures.toPosix(failure));
                } else {
                    granted(handle, key, set, answer);
                }
                over.complete(null);
            });
        });
        return answer;
    }

    /**
     * Whether a lock may be asked for: one that does not wait fails while what its owner has unlocked before is not.
     */
    private CompletableFuture<Boolean> inTime(FileLock lock, CompletableFuture<Void> unlocked) {
        CompletableFuture<Boolean> ready = unlocked.thenApply(done -> true);
        return lock.waits() || ready.isDone()
                ? ready
                : Futures.within(timers, patience, ready).thenApply(Optional::isPresent);
    }

    private CompletableFuture<LockState> ask(FileLock lock, SetLock set, CompletableFuture<Void> interrupted) {
        if (interrupted.isDone()) {
            return Futures.failed(Errno.EINTR, "interrupted before it could be asked for");
        }
        return lock.waits() ? requests.lock(set, interrupted) : tryToLock(set);
    }

    /**
     * Tries to lock, a second time if need be. The kernel tells of the end of an open file, and so of its lock of
     * flock(2), only after close(2) or the program has ended: whoever comes next must not find it locked.
     */
    private CompletableFuture<LockState> tryToLock(SetLock set) {
        return requests.tryToLock(set).exceptionallyCompose(failure -> {
            boolean again =
                    set.getOwner().getFlock() && Failures.toPosix(failure).errno() == Errno.EAGAIN;
            return again
                    ? Futures.after(timers, END_OF_OPEN).thenCompose(now -> requests.tryToLock(set))
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** What is granted after its caller has cancelled it is undone, before its owner locks anything else. */
    private void granted(long handle, LockHolders.Key key, SetLock set, CompletableFuture<Void> answer) {
        List<LockPart> former = holders.told(key, set.getRange());
        holders.tell(key, handle, set.getRange(), set.getMode());
        if (!answer.complete(null)) {
            former.forEach(part -> holders.tell(key, handle, part.getRange(), part.getMode()));
            undo(key, set);
        }
    }

    /** A lock whose granting nobody has heard of is given up, and so is waiting for it. */
    private void locked(long handle, LockHolders.Key key, SetLock set, @Nullable Throwable failure) {
        boolean uncertain = failure != null && Failures.toPosix(failure).errno() == Errno.EIO;
        if (uncertain) {
            undo(key, set);
        }
        ended(handle, key, set.getRange(), failure == null);
    }

    private void ended(long handle, LockHolders.Key key, LockRange range, boolean granted) {
        unlock(key, () -> holders.endLocking(key, handle, range, granted));
    }

    private CompletableFuture<LockState> unlock(LockHolders.Key key, LockRange range) {
        holders.tellUnlocked(key, range);
        return unlock(key, message(key, LockMode.UNLOCKED, range));
    }

    /**
     * Nobody knows of the request any more, so it must not get what it has asked for, and its owner holds what he did
     * before.
     */
    private void undo(LockHolders.Key key, SetLock set) {
        unlock(
                key,
                message(key, LockMode.UNLOCKED, set.getRange())
                        .setPid(set.getPid())
                        .setTicket(set.getTicket())
                        .addAllFormer(holders.told(key, set.getRange())));
    }

    private CompletableFuture<LockState> unlock(LockHolders.Key key, SetLock.Builder unlock) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        long begun = holders.beginUnlocking(key, over);
        return requests.unlock(unlock.build()).whenComplete((state, failure) -> {
            holders.endUnlocking(key, begun, state != null && !state.getHeld());
            over.complete(null);
        });
    }

    private static void checkDone(Optional<LockState> unlocked) {
        if (unlocked.isEmpty()) {
            throw new PosixException(Errno.EIO, NOT_UNLOCKED);
        }
    }

    private LockOwner owner(long id, boolean flock) {
        return LockOwner.newBuilder().setMount(mount).setId(id).setFlock(flock).build();
    }

    private static SetLock.Builder message(LockHolders.Key key, LockMode mode, LockRange range) {
        return SetLock.newBuilder()
                .setInode(key.inode())
                .setOwner(key.owner())
                .setMode(mode)
                .setRange(range);
    }
}
