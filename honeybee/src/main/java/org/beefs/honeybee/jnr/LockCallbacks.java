package org.beefs.honeybee.jnr;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import jnr.ffi.Pointer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.FoundLock;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockRange;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;
import ru.serce.jnrfuse.struct.Flock;
import ru.serce.jnrfuse.struct.FuseFileInfo;

/**
 * Locks on regular files. Whoever waits for one keeps a thread of libfuse, so fewer may wait than there are threads:
 * otherwise nobody could unlock.
 */
final class LockCallbacks {
    /** Requests that may wait for locks at a time; a further one gets ENOLCK. */
    static final int MAX_WAITING = SessionLoop.MAX_THREADS / 2;

    private static final int LOCK_SHARED = 1;
    private static final int LOCK_EXCLUSIVE = 2;
    private static final int LOCK_AT_ONCE = 4;

    private final FileSystem fileSystem;
    private final HandleInodes open;
    private final Platform.LockNumbers numbers;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);

    LockCallbacks(FileSystem fileSystem, HandleInodes open, Platform.LockNumbers numbers) {
        this.fileSystem = fileSystem;
        this.open = open;
        this.numbers = numbers;
    }

    /** fcntl(2). */
    int lock(Call call, Pointer file, int command, Pointer memory) {
        FuseFileInfo info = FuseFileInfo.of(file);
        Flock asked = Flock.of(memory);
        long start = asked.l_start.get();
        long length = asked.l_len.get();
        LockRange range = LockRange.newBuilder()
                .setStart(start)
                .setEnd(length == 0 ? Long.MAX_VALUE : start + length - 1)
                .build();
        LockMode mode = mode(asked.l_type.get());
        boolean waits = command == numbers.setAndWait() && mode != LockMode.UNLOCKED;
        FileLock lock = new FileLock(info.lock_owner.get(), false, mode, range, asked.l_pid.intValue(), waits);
        long handle = info.fh.get();
        if (command == numbers.get()) {
            show(call.await(fileSystem.findLock(open.inodeOf(handle), lock)), asked);
        } else {
            set(call, handle, lock);
        }
        return 0;
    }

    /** flock(2). */
    int flock(Call call, Pointer file, int operation) {
        FuseFileInfo info = FuseFileInfo.of(file);
        LockMode mode = (operation & LOCK_EXCLUSIVE) != 0
                ? LockMode.EXCLUSIVE
                : (operation & LOCK_SHARED) != 0 ? LockMode.SHARED : LockMode.UNLOCKED;
        boolean waits = (operation & LOCK_AT_ONCE) == 0 && mode != LockMode.UNLOCKED;
        LockRange all = LockRange.newBuilder().setEnd(Long.MAX_VALUE).build();
        set(call, info.fh.get(), new FileLock(info.lock_owner.get(), true, mode, all, call.pid(), waits));
        return 0;
    }

    private void set(Call call, long handle, FileLock lock) {
        if (!lock.waits()) {
            call.await(ask(handle, lock, new CompletableFuture<>()));
        } else if (waiting.tryAcquire()) {
            try {
                CompletableFuture<Void> interrupted = new CompletableFuture<>();
                call.await(ask(handle, lock, interrupted), () -> interrupted.complete(null));
            } finally {
                waiting.release();
            }
        } else {
            throw new PosixException(Errno.ENOLCK, "too many programs wait for locks through this mount");
        }
    }

    private CompletableFuture<Void> ask(long handle, FileLock lock, CompletableFuture<Void> interrupted) {
        return fileSystem.setLock(handle, open.inodeOf(handle), lock, interrupted);
    }

    private LockMode mode(int type) {
        if (type == numbers.shared()) {
            return LockMode.SHARED;
        } else if (type == numbers.exclusive()) {
            return LockMode.EXCLUSIVE;
        } else if (type == numbers.unlocked()) {
            return LockMode.UNLOCKED;
        }
        throw new PosixException(Errno.EINVAL, "no type of a lock: " + type);
    }

    private void show(Optional<FoundLock> found, Flock shown) {
        if (found.isEmpty()) {
            shown.l_type.set(numbers.unlocked());
            return;
        }
        FoundLock lock = found.get();
        LockRange range = lock.getRange();
        shown.l_type.set(lock.getMode() == LockMode.SHARED ? numbers.shared() : numbers.exclusive());
        shown.l_whence.set(0);
        shown.l_start.set(range.getStart());
        shown.l_len.set(range.getEnd() == Long.MAX_VALUE ? 0 : range.getEnd() - range.getStart() + 1);
        shown.l_pid.set(lock.getPid());
    }
}
