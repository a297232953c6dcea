package org.beefs.integration.faults;

import java.time.Duration;
import org.beefs.integration.walk.Walk;
import org.jspecify.annotations.Nullable;

/** A random walk that goes on while a test does harm to the hive. */
public final class WalkInBackground implements AutoCloseable {
    private static final int STRIDE = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Walk walk;
    private final Thread thread;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /** For the thread of the test. */
    private boolean closed;

    public WalkInBackground(Walk walk) {
        this.walk = walk;
        this.thread = Thread.ofPlatform().name("walk").start(this::go);
    }

    /** Lets it end its stride, and closes its files; fails when it has seen something wrong. */
    public void end() {
        boolean hasEnded = awaitEnd();
        Throwable thrown = failure;
        if (thrown != null) {
            throw new AssertionError(thrown.getMessage(), thrown);
        }
        if (!hasEnded) {
            throw new AssertionError("a call of the walk never comes back");
        }
        close();
    }

    /** Leaves its files open when it does not end: taking mapped memory away from it would end this whole process. */
    @Override
    public void close() {
        if (awaitEnd() && !closed) {
            closed = true;
            walk.close();
        }
    }

    private boolean awaitEnd() {
        ended = true;
        try {
            return thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }

    private void go() {
        try {
            while (!ended) {
                walk.go(STRIDE);
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }
}
