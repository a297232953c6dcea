package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the queen-bee does for one kind of request. Stateless but for the queen-bee's state; runs on the namespace
 * thread.
 */
@FunctionalInterface
public interface Operation {
    /**
     * A file that a request has opened.
     *
     * @param handle which the session has chosen for it
     * @param write whether to write
     */
    record Opened(long handle, boolean write) {}

    /**
     * Carries the request out and fills the reply's result. Fails with {@link org.beefs.common.posix.PosixException},
     * or with {@link org.beefs.queenbee.lease.ParkedException} when it has to wait, before it has changed anything.
     */
    void run(Request request, QueenReply.Builder reply);

    /**
     * What a request has opened that was answered like this without a failure; it is the answer's node. Null for
     * nothing.
     */
    default @Nullable Opened opened(QueenRequest request, QueenReply answer) {
        return null;
    }
}
