package org.beefs.common.rpc;

import org.jspecify.annotations.Nullable;

/**
 * Counts the other side's requests that wait for our answers, and stops reading from it while they are too many.
 * Thread-safe: counting and switching happen under one lock, so that the link never stays switched off by a decision
 * that was overtaken.
 */
final class Backpressure {
    private final Link link;
    private final int limit;
    private int serving;
    private boolean reading = true;
    private @Nullable Runnable allAnswered;

    Backpressure(Link link, int limit) {
        this.link = link;
        this.limit = limit;
    }

    /** False when no more requests are taken. */
    synchronized boolean began() {
        if (allAnswered != null) {
            return false;
        }
        serving++;
        if (serving >= limit && reading) {
            reading = false;
            link.setReading(false);
        }
        return true;
    }

    void answered() {
        Runnable last = answeredOne();
        if (last != null) {
            last.run();
        }
    }

    /** What is to be done now. */
    private synchronized @Nullable Runnable answeredOne() {
        serving--;
        if (serving <= limit / 2 && !reading) {
            reading = true;
            link.setReading(true);
        }
        return serving == 0 ? allAnswered : null;
    }

    /** Takes no more requests from now on. The task runs when those that were taken are answered. */
    void end(Runnable whenAnswered) {
        synchronized (this) {
            if (allAnswered != null) {
                return;
            }
            allAnswered = whenAnswered;
            if (serving > 0) {
                return;
            }
        }
        whenAnswered.run();
    }
}
