package org.beefs.queenbee.server;

import java.util.ArrayDeque;
import java.util.Queue;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.journal.Journal;

/**
 * Sync requests that wait for a flush which covers them. Bounded by the requests that connections may have open. Belongs to
 * the namespace thread.
 */
final class SyncWaiters {
    private record Waiter(long sequence, Service.Responder responder) {}

    private final Queue<Waiter> waiters = new ArrayDeque<>();

    /** Waits until everything that is applied now is durable. */
    void add(Journal journal, Service.Responder responder) {
        waiters.add(new Waiter(journal.applied(), responder));
    }

    /** Answers those whose changes are on disk. */
    void answer(Journal journal, Outbox outbox) {
        for (Waiter first = waiters.peek();
                first != null && first.sequence <= journal.durable();
                first = waiters.peek()) {
            outbox.add(first.responder, QueenReply.getDefaultInstance());
            waiters.remove();
        }
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }
}
