package org.beefs.common.rpc;

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

    Backpressure(Link link, int limit) {
        this.link = link;
        this.limit = limit;
    }

    synchronized void began() {
        serving++;
        if (serving >= limit && reading) {
            reading = false;
            link.setReading(false);
        }
    }

    synchronized void answered() {
        serving--;
        if (serving <= limit / 2 && !reading) {
            reading = true;
            link.setReading(true);
        }
    }
}
