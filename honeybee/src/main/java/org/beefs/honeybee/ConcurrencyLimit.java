package org.beefs.honeybee;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.jspecify.annotations.Nullable;

/**
 * Lets a bounded number of asynchronous tasks run at a time, and a bounded number wait for them in order. A task may
 * take the places of several. Thread-safe; tasks start on the thread that asks or on one that completes another task,
 * and no lock is held meanwhile.
 */
public final class ConcurrencyLimit {
    private final int mostRunning;
    private final int mostWaiting;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int running;
    private boolean draining;

    public ConcurrencyLimit(int mostRunning, int mostWaiting) {
        this.mostRunning = mostRunning;
        this.mostWaiting = mostWaiting;
    }

    /** A task that waits, for the request of that id in logs. */
    private record Waiting(long request, int places, Runnable start) {}

    /** Shows for which requests tasks wait. */
    public void forEachWaiting(LongConsumer visitor) {
        List<Waiting> present;
        synchronized (this) {
            present = List.copyOf(waiting);
        }
        present.forEach(task -> visitor.accept(task.request));
    }

    /** Runs the task now or later; fails with EAGAIN when too many wait. */
    public <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> task) {
        return run(1, task);
    }

    /**
     * As {@link #run(Supplier)} of what may take several places.
     *
     * @param places that it takes; all there are when these are fewer
     */
    public <T> CompletableFuture<T> run(int places, Supplier<CompletableFuture<T>> task) {
        int taken = Math.min(places, mostRunning);
        return isAdmittedNow(taken)
                ? Futures.attempt(task).whenComplete((value, failure) -> ended(taken))
                : runLater(taken, task);
    }

    /** Whether it counts as running from now on. Nobody passes those who wait. */
    private synchronized boolean isAdmittedNow(int places) {
        boolean admitted = waiting.isEmpty() && running + places <= mostRunning;
        running += admitted ? places : 0;
        return admitted;
    }

    private <T> CompletableFuture<T> runLater(int places, Supplier<CompletableFuture<T>> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (!enqueue(places, () -> start(places, task, result))) {
            result.completeExceptionally(
                    new PosixException(Errno.EAGAIN, mostWaiting + " requests are waiting already"));
        }
        drain(); // somebody may have ended in between
        return result;
    }

    private synchronized boolean enqueue(int places, Runnable start) {
        return waiting.size() < mostWaiting && waiting.add(new Waiting(CurrentRequest.id(), places, start));
    }

    private <T> void start(int places, Supplier<CompletableFuture<T>> task, CompletableFuture<T> result) {
        CompletableFuture<T> work;
        try {
            work = task.get();
        } catch (RuntimeException | Error e) { // also without memory for a buffer: its place must be given back
            work = CompletableFuture.failedFuture(e);
        }
        work.whenComplete((value, failure) -> {
            ended(places);
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private void ended(int places) {
        synchronized (this) {
            running -= places;
            if (waiting.isEmpty()) {
                return;
            }
        }
        drain();
    }

    /**
     * One thread at a time starts tasks, in a loop: tasks that fail at once would otherwise start one another
     * recursively.
     */
    private void drain() {
        synchronized (this) {
            if (draining) {
                return;
            }
            draining = true;
        }
        for (Waiting next = take(); next != null; next = take()) {
            CurrentRequest.run(next.request, next.start);
        }
    }

    private synchronized @Nullable Waiting take() {
        Waiting first = waiting.peek();
        draining = first != null && running + first.places <= mostRunning;
        if (first == null || !draining) {
            return null;
        }
        running += first.places;
        return waiting.remove();
    }
}
