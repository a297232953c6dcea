package org.beefs.honeybee;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a bounded number of asynchronous tasks run at a time, and a bounded number wait for them in order. Thread-safe; tasks
 * start on the thread that asks or on one that completes another task, and no lock is held meanwhile.
 */
public final class Admission {
    private final int mostRunning;
    private final int mostWaiting;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private boolean draining;

    public Admission(int mostRunning, int mostWaiting) {
        this.mostRunning = mostRunning;
        this.mostWaiting = mostWaiting;
    }

    /** Runs the task now or later; fails with EAGAIN when too many wait. */
    public <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (!enqueue(() -> start(task, result))) {
            result.completeExceptionally(
                    new PosixException(Errno.EAGAIN, mostWaiting + " requests are waiting already"));
        }
        drain();
        return result;
    }

    private synchronized boolean enqueue(Runnable start) {
        return waiting.size() < mostWaiting && waiting.add(start);
    }

    private <T> void start(Supplier<CompletableFuture<T>> task, CompletableFuture<T> result) {
        CompletableFuture<T> work;
        try {
            work = task.get();
        } catch (RuntimeException | Error e) { // also without memory for a buffer: its place must be given back
            work = CompletableFuture.failedFuture(e);
        }
        work.whenComplete((value, failure) -> {
            ended();
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private void ended() {
        synchronized (this) {
            running--;
        }
        drain();
    }

    /** One thread at a time starts tasks, in a loop: tasks that fail at once would otherwise start one another recursively. */
    private void drain() {
        synchronized (this) {
            if (draining) {
                return;
            }
            draining = true;
        }
        for (Runnable next = take(); next != null; next = take()) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable take() {
        Runnable next = running < mostRunning ? waiting.poll() : null;
        draining = next != null;
        running += next == null ? 0 : 1;
        return next;
    }
}
