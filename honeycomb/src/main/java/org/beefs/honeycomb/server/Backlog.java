package org.beefs.honeycomb.server;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the content of all connections that waits in memory, up to a bound. Thread-safe. */
final class Backlog {
    /** Bytes that may wait to be written; 64 of the largest writes. */
    static final long MOST_UNWRITTEN = 64L << 20;

    /** Bytes that may have been read from the disk and wait to be sent; 96 of the largest reads. */
    static final long MOST_UNSENT = 96L << 20;

    private final long bound;
    private final AtomicLong waiting = new AtomicLong();

    /** @param bound bytes */
    Backlog(long bound) {
        this.bound = bound;
    }

    /** Takes content in; false when there is too much already. What was taken in is {@link #done} once. */
    boolean admit(int bytes) {
        if (waiting.addAndGet(bytes) <= bound) {
            return true;
        }
        waiting.addAndGet(-bytes);
        return false;
    }

    void done(int bytes) {
        waiting.addAndGet(-bytes);
    }

    /** Bytes that may still be taken in; less than 0 for moments. */
    long left() {
        return bound - waiting.get();
    }
}
