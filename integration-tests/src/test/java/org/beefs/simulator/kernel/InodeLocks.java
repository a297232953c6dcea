package org.beefs.simulator.kernel;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The lock that Linux holds on an inode while it asks for a directory's entries (shared), or changes them or the inode
 * itself (exclusively). First come, first served. Bounded by the operations in flight.
 */
final class InodeLocks {
    private record Waiting(boolean exclusive, CompletableFuture<Void> turn) {}

    private static final class Lock {
        private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
        private int holders;
        private boolean exclusive;
    }

    private final Map<Long, Lock> locks = new HashMap<>();

    <T> CompletableFuture<T> shared(long inode, Supplier<CompletableFuture<T>> work) {
        return locked(inode, false, work);
    }

    <T> CompletableFuture<T> exclusive(long inode, Supplier<CompletableFuture<T>> work) {
        return locked(inode, true, work);
    }

    /** Of two inodes, as a rename does it; in an order in which nobody waits for whoever waits for him. */
    <T> CompletableFuture<T> exclusive(long one, long other, Supplier<CompletableFuture<T>> work) {
        return one == other
                ? exclusive(one, work)
                : exclusive(Math.min(one, other), () -> exclusive(Math.max(one, other), work));
    }

    private <T> CompletableFuture<T> locked(long inode, boolean exclusive, Supplier<CompletableFuture<T>> work) {
        Lock lock = locks.computeIfAbsent(inode, fresh -> new Lock());
        Waiting waiting = new Waiting(exclusive, new CompletableFuture<>());
        lock.queue.add(waiting);
        CompletableFuture<T> done = waiting.turn().thenCompose(_ -> work.get()).whenComplete((result, failure) -> {
            lock.holders--;
            admit(lock);
        });
        admit(lock);
        return done;
    }

    private static void admit(Lock lock) {
        while (!lock.queue.isEmpty()) {
            Waiting next = lock.queue.getFirst();
            if (lock.holders > 0 && (lock.exclusive || next.exclusive())) {
                return;
            }
            lock.queue.remove();
            lock.holders++;
            lock.exclusive = next.exclusive();
            next.turn().complete(null);
        }
    }
}
