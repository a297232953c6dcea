package org.beefs.honeybee.queen;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.wire.SetLock;

/** A request that waits for a lock. Thread-safe. */
final class LockWait {
    enum Event {
        /** The request has got the lock. */
        GRANTED,
        /** The queen-bee may not know of the request any more, or nobody wants the lock any more. */
        ASK_AGAIN
    }

    private final SetLock lock;
    private final long request = CurrentRequest.id();
    private volatile boolean withdrawn;
    private volatile CompletableFuture<Event> next = new CompletableFuture<>();

    LockWait(SetLock lock) {
        this.lock = lock;
    }

    long ticket() {
        return lock.getTicket();
    }

    /** The id in logs of who waits. */
    long request() {
        return request;
    }

    SetLock lock() {
        return lock;
    }

    /** What happens from now on. */
    CompletableFuture<Event> next() {
        next = new CompletableFuture<>();
        return next;
    }

    void happened(Event event) {
        next.complete(event);
    }

    /** Nobody wants to wait any more: it is asked for once more, and only for what can be had at once. */
    void withdraw() {
        withdrawn = true;
        happened(Event.ASK_AGAIN);
    }

    boolean isWithdrawn() {
        return withdrawn;
    }
}
