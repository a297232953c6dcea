package org.beefs.honeycomb.maintenance;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Does work on an executor that may have several threads, but one after the other, in the order in which it came.
 * Thread-safe.
 */
final class InOrder implements Executor {
    private final Executor executor;

    // Guarded by this.

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    InOrder(Executor executor) {
        this.executor = executor;
    }

    /** Fails with {@link RejectedExecutionException} as the executor does. The work must not fail. */
    @Override
    public synchronized void execute(Runnable work) {
        waiting.add(work);
        if (running) {
            return;
        }
        running = true;
        try {
            executor.execute(this::runAll);
        } catch (RejectedExecutionException e) {
            running = false;
            waiting.clear(); // that was the only one
            throw e;
        }
    }

    private void runAll() {
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = waiting.poll();
        running = next != null;
        return next;
    }
}
