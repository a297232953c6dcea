package org.beefs.common.rpc;

import java.util.LinkedHashSet;

/**
 * Numbers the changing requests of one session with one server, the queen-bee or a honeycomb, and knows below which
 * number none is under way any more. By these numbers the server keeps its answers. Thread-safe. Holds the numbers
 * under way, as many as its user has calls. Compared by identity: another window is another session.
 */
public final class RequestWindow {
    private final long session;

    /** Numbers under way, the lowest first, because they begin in their order. */
    private final LinkedHashSet<Long> underWay = new LinkedHashSet<>();

    private long last;

    public RequestWindow(long session) {
        this.session = session;
    }

    /** The session's number; 0 for none. */
    public long session() {
        return session;
    }

    /** A number above 0 that this session never gave out before; it is under way until {@link #end}. */
    public synchronized long begin() {
        underWay.add(++last);
        return last;
    }

    /** The request was answered or given up. Once the server hears that, it forgets the request, or never begins it. */
    public synchronized void end(long sequence) {
        underWay.remove(sequence);
    }

    /** Whether less than half of what one connection may have under way is unanswered. */
    public boolean hasRoom() {
        return span() < Reconnector.MAX_CALLS / 2;
    }

    /** All requests below this number have ended: to be sent along with the next request. */
    public synchronized long acknowledged() {
        return underWay.isEmpty() ? last + 1 : underWay.getFirst();
    }

    /**
     * Numbers from the oldest under way to the last, for each of which the server keeps a place; 0 when none is under
     * way.
     */
    synchronized long span() {
        return last + 1 - acknowledged();
    }
}
