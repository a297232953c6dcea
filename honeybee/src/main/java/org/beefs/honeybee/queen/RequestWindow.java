package org.beefs.honeybee.queen;

import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.SequenceNumbers;

/**
 * One session with one server, the queen-bee or a honeycomb, and the numbers of its requests there that change
 * something. Thread-safe. Compared by identity: another window is another session.
 */
public final class RequestWindow {
    private final long session;
    private final SequenceNumbers numbers = new SequenceNumbers();

    public RequestWindow(long session) {
        this.session = session;
    }

    /** The session's number; 0 for none. */
    public long session() {
        return session;
    }

    /** A number that this session never gave out before. It is unanswered until {@link #end}. */
    public long begin() {
        return numbers.begin();
    }

    /** The request was answered or given up: the server may forget it. */
    public void end(long sequence) {
        numbers.end(sequence);
    }

    /** Whether less than half of what one connection may have under way is unanswered. */
    boolean hasRoom() {
        return numbers.span() < Reconnector.MAX_CALLS / 2;
    }

    /** All requests below this number have ended. */
    public long acknowledged() {
        return numbers.acknowledged();
    }
}
