package org.beefs.honeycomb.server;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the content of all connections that waits to be written. Thread-safe. */
final class Backlog {
    /** Bytes that may wait; 64 of the largest writes. */
    static final long BOUND = 64L << 20;

    private final AtomicLong waiting = new AtomicLong();

    /** Takes content in; false when there is too much already. What was taken in is {@link #done} once. */
    boolean admit(int bytes) {
        if (waiting.addAndGet(bytes) <= BOUND) {
            return true;
        }
        waiting.addAndGet(-bytes);
        return false;
    }

    void done(int bytes) {
        waiting.addAndGet(-bytes);
    }
}
