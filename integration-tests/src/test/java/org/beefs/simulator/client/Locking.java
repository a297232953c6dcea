package org.beefs.simulator.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockRange;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.simulator.kernel.SystemCalls;
import org.beefs.simulator.model.Invariant;

/** The locks of the programs on one mount: what they ask for, what they are answered, and who waits. */
final class Locking {
    /** What may be asked for at a time. */
    private static final int MOST = 3;

    /** The program that closes files: by that it loses its locks of fcntl(2). */
    private static final long CLOSING_PROGRAM = 1;

    private static final Set<Errno> FROM_FAULTS = EnumSet.of(Errno.EIO, Errno.ESTALE, Errno.EBADF);

    /** A request that has not been answered. */
    private record Asked(OpenHandle handle, FileLock lock, CompletableFuture<Void> interrupted) {
        boolean waits() {
            return lock.waits() && !interrupted.isDone();
        }

        int bytes() {
            return LockBook.bytes(
                    (int) lock.range().getStart(), (int) lock.range().getEnd());
        }
    }

    private final String desktop;
    private final History history;
    private final LockBook book;
    private final Supplier<SystemCalls> calls;
    private final LongSupplier session;
    private final List<Asked> asked = new ArrayList<>();
    /**
     * Those of a program that has closed another descriptor of the file meanwhile, one through which it had locked, or
     * is closing one: it may have lost what it gets.
     */
    private final Set<Asked> overtaken = new HashSet<>();
    /** Through which open files an owner has locked. */
    private final Map<LockBook.Owner, Set<OpenHandle>> lockedThrough = new HashMap<>();

    private final Set<OpenHandle> closed = new HashSet<>();
    /** Of these the closing is under way, which unlocks whatever its program has locked by then. */
    private final Set<OpenHandle> closing = new HashSet<>();

    private int life;

    /** @param session of the desktop's daemon now */
    Locking(String desktop, History history, LockBook book, Supplier<SystemCalls> calls, LongSupplier session) {
        this.desktop = desktop;
        this.history = history;
        this.book = book;
        this.calls = calls;
        this.session = session;
    }

    boolean mayAsk() {
        return asked.size() < MOST;
    }

    /**
     * Asks for a lock, or gives one up, unless the same owner is still asking for another one of the file.
     *
     * @param program that asks; of no matter to flock(2)
     */
    void set(OpenHandle handle, long program, boolean flock, LockMode mode, int from, int to, boolean waits) {
        LockRange range = LockRange.newBuilder().setStart(from).setEnd(to).build();
        FileLock lock = new FileLock(flock ? handle.handle() : program, flock, mode, range, (int) program, waits);
        int bytes = LockBook.bytes(from, to);
        LockBook.Owner owner = owner(handle, lock);
        if (asked.stream().anyMatch(other -> owner.equals(owner(other.handle(), other.lock())))) {
            return; // nobody could say which of the two came first
        }
        Asked request = new Asked(handle, lock, new CompletableFuture<>());
        asked.add(request);
        if (closing.stream().anyMatch(other -> isOfCloser(owner, other))) {
            overtaken.add(request);
        }
        if (mode == LockMode.UNLOCKED) {
            book.giveUp(owner, bytes);
        } else if (flock) {
            book.doubt(owner); // flock(2) does not say whether who fails to change his lock has it still
        }
        if (mode != LockMode.UNLOCKED) {
            book.ask(owner, mode, bytes, waits);
            lockedThrough.computeIfAbsent(owner, first -> new HashSet<>()).add(handle);
        }
        history.note("%s locks: %s %d to %d, %s, %s"
                .formatted(desktop, mode, from, to, waits ? "waiting" : "at once", owner));
        int askedIn = life;
        history.whenDone(
                calls.get().setLock(handle.handle(), handle.inode(), lock, request.interrupted()), (_, thrown) -> {
                    if (askedIn == life) {
                        asked.remove(request);
                        answered(request, owner, bytes, thrown);
                        overtaken.remove(request);
                    }
                });
    }

    private LockBook.Owner owner(OpenHandle handle, FileLock lock) {
        return new LockBook.Owner(desktop, session.getAsLong(), handle.inode(), lock.owner(), lock.flock());
    }

    private void answered(
            Asked request, LockBook.Owner owner, int bytes, @org.jspecify.annotations.Nullable Throwable thrown) {
        FileLock lock = request.lock();
        Errno errno = thrown == null ? null : Failures.toPosix(thrown).errno();
        history.note("%s locks: %s of %s".formatted(desktop, errno == null ? "done" : errno, owner));
        if (errno != null) {
            if (!mayFail(errno, request, owner, bytes)) {
                history.fail(Invariant.LOCKS, "a lock of %s fails with %s".formatted(owner, errno));
            }
        } else if (lock.mode() == LockMode.UNLOCKED) {
            book.gaveUp(owner, bytes);
        } else if (!closed.contains(request.handle())) {
            if (owner.session() == session.getAsLong() && !overtaken.contains(request)) {
                book.grant(owner, lock.mode(), bytes);
            } else {
                book.suspect(owner, lock.mode(), bytes);
            }
        }
    }

    private boolean mayFail(Errno errno, Asked request, LockBook.Owner owner, int bytes) {
        FileLock lock = request.lock();
        return switch (errno) {
            case EAGAIN -> lock.mode() != LockMode.UNLOCKED && book.mayBeRefused(owner, lock.mode(), bytes);
            case EINTR -> request.interrupted().isDone();
            case EDEADLK -> lock.waits() && !lock.flock() && book.mayDeadlock(owner, lock.mode(), bytes);
            default -> FROM_FAULTS.contains(errno) && history.mayFail();
        };
    }

    /** A signal comes for somebody who waits. */
    void interruptOne() {
        asked.stream()
                .filter(Asked::waits)
                .findFirst()
                .ifPresent(one -> one.interrupted().complete(null));
    }

    void interruptAll() {
        List.copyOf(asked).forEach(one -> one.interrupted().complete(null));
    }

    /** Whoever has locks here, and does not ask for others, gives them up. */
    void unlockAll() {
        Map<LockBook.Owner, Set<OpenHandle>> through = new LinkedHashMap<>(lockedThrough);
        through.forEach((owner, handles) -> handles.stream()
                .min(Comparator.comparingLong(OpenHandle::handle))
                .ifPresent(handle ->
                        set(handle, owner.id(), owner.flock(), LockMode.UNLOCKED, 0, LockBook.BYTES - 1, false)));
    }

    /** An open file is about to be closed, and with it goes what was locked through it. */
    void closing(OpenHandle handle) {
        closed.add(handle);
        closing.add(handle);
        List.copyOf(asked).stream()
                .filter(request -> request.handle().equals(handle))
                .forEach(request -> request.interrupted().complete(null));
        asked.stream()
                .filter(request -> mayLoseByClose(owner(request.handle(), request.lock()), handle))
                .forEach(overtaken::add);
        lockedThrough.forEach((owner, handles) -> {
            boolean ofCloser = isOfCloser(owner, handle);
            boolean through = handles.remove(handle);
            if (through && handles.isEmpty()) {
                book.end(owner);
            } else if (through || ofCloser) {
                book.doubt(owner);
            }
        });
    }

    /** What another thread of the program locks from now on is not unlocked by that. */
    void closed(OpenHandle handle) {
        closing.remove(handle);
    }

    /** Whoever has locked through it has closed it, too. */
    private boolean mayLoseByClose(LockBook.Owner owner, OpenHandle closed) {
        return isOfCloser(owner, closed)
                || lockedThrough.getOrDefault(owner, Set.of()).contains(closed);
    }

    private static boolean isOfCloser(LockBook.Owner owner, OpenHandle closed) {
        return owner.inode() == closed.inode() && !owner.flock() && owner.id() == CLOSING_PROGRAM;
    }

    /** The daemon has died, and nobody is answered. */
    void died() {
        life++;
        asked.clear();
        lockedThrough.clear();
        closed.clear();
        overtaken.clear();
        closing.clear();
        book.died(desktop);
    }

    /** Whether all are answered that do not wait for others. */
    boolean isIdle() {
        return asked.stream().allMatch(Asked::waits);
    }

    /** Whether somebody waits for another's lock. */
    boolean isAnyWaiting() {
        return asked.stream().anyMatch(Asked::waits);
    }

    /** Who waits for a lock that is free, for people; of use when all that is under way has arrived. */
    List<String> forgotten() {
        return asked.stream()
                .filter(Asked::waits)
                .filter(request -> !book.isBlocked(
                        owner(request.handle(), request.lock()), request.lock().mode(), request.bytes()))
                .map(request -> "%s waits for a lock of inode %d that is free: %s"
                        .formatted(desktop, request.handle().inode(), request.lock()))
                .toList();
    }

    /** What is not answered, for people. */
    List<String> waiting() {
        return asked.stream()
                .map(request -> "a lock on %d".formatted(request.handle().inode()))
                .toList();
    }
}
