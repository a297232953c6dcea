package org.beefs.queenbee.server.request;

import java.util.ArrayDeque;
import java.util.Queue;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.journal.Journal;

/**
 * Answers that wait for a flush which covers them. Bounded by the requests that connections may have open. Belongs to
 * the namespace thread.
 */
public final class SyncWaiters {
    private record Waiter(long sequence, Incoming request, QueenReply reply) {}

    private final Queue<Waiter> waiters = new ArrayDeque<>();

    /** Adds an answer that is to be given when everything that is applied now is durable. */
    void add(Journal journal, Incoming request, QueenReply reply) {
        waiters.add(new Waiter(journal.applied(), request, reply));
    }

    /** Gives the answers whose changes are on disk. */
    public void answer(Journal journal, Outbox outbox) {
        for (Waiter first = waiters.peek();
                first != null && first.sequence <= journal.durable();
                first = waiters.peek()) {
            outbox.add(first.request.responder(), first.reply);
            waiters.remove();
        }
    }

    /** Whether a request of that id is among them. */
    boolean has(long request) {
        return waiters.stream().anyMatch(waiter -> waiter.request.request() == request);
    }

    public boolean isEmpty() {
        return waiters.isEmpty();
    }
}
