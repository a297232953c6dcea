package org.beefs.common.rpc;

import java.util.LinkedHashSet;

/**
 * Numbers the changing requests of a session towards one peer, and knows below which number none is under way any more.
 * The peer keeps its answers by them: a honeycomb in {@link SequencedAnswers}, the queen-bee with the session.
 * Thread-safe. Holds the numbers under way, as many as its user has calls.
 */
public final class SequenceNumbers {
    /** The lowest first, because numbers begin in their order. */
    private final LinkedHashSet<Long> underWay = new LinkedHashSet<>();

    private long last;

    /** The number of a new request, above 0; it is under way until {@link #end}. */
    public synchronized long begin() {
        underWay.add(++last);
        return last;
    }

    /**
     * The answer has come, or nobody waits for it any more: then the peer will not begin with the request after it
     * hears.
     */
    public synchronized void end(long sequence) {
        underWay.remove(sequence);
    }

    /** All below this number are over: to be sent along with the next request. */
    public synchronized long acknowledged() {
        return underWay.isEmpty() ? last + 1 : underWay.getFirst();
    }

    /**
     * Numbers from the oldest under way to the last, for each of which the peer keeps a place; 0 when none is under
     * way.
     */
    public synchronized long span() {
        return last + 1 - acknowledged();
    }
}
