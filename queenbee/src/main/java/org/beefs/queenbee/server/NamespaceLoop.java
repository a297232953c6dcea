package org.beefs.queenbee.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.time.ProductionOnly;
import org.jspecify.annotations.Nullable;

/**
 * Runs passes while there is work. They run on the thread that serves the connections, so that a request changes no
 * threads between its frame and its reply: each change would wake one up, which takes longer than most requests.
 * {@link #wake} is thread-safe.
 */
@ProductionOnly
final class NamespaceLoop implements AutoCloseable {
    private final Executor thread;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile @Nullable QueenBee queenBee;
    private volatile boolean closed;

    /** @param thread runs one task after another, all on the same thread */
    NamespaceLoop(Executor thread) {
        this.thread = thread;
    }

    /** Begins to run the queen-bee's passes. */
    void start(QueenBee started) {
        queenBee = started;
        wake();
    }

    /** Has a pass run soon, if passes have begun. Calls before it begins are one. */
    void wake() {
        if (queenBee != null && !closed && scheduled.compareAndSet(false, true)) {
            execute(this::pass);
        }
    }

    /** Waits for the end of the running pass. Not for the thread of the passes. */
    @Override
    public void close() {
        closed = true;
        CompletableFuture<Void> passed = new CompletableFuture<>();
        execute(() -> passed.complete(null));
        passed.join();
    }

    /** Runs one pass only: frames that have come meanwhile belong into the next one. */
    private void pass() {
        scheduled.set(false); // before the work is looked at: what comes later wakes again
        QueenBee running = queenBee;
        if (running == null || closed) {
            return;
        }
        if (running.hasWork()) {
            running.runPass();
        }
        if (running.hasWork()) {
            wake();
        }
    }

    /** Where no thread takes it, because the network has been closed, there are no passes that it could meet. */
    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            closed = true;
            task.run();
        }
    }
}
