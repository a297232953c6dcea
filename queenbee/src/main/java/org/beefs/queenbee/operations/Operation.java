package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenReply;

/**
 * What the queen-bee does for one kind of request. Stateless but for the queen-bee's state; runs on the namespace
 * thread.
 */
@FunctionalInterface
public interface Operation {
    /**
     * Carries the request out and fills the reply's result. Fails with {@link org.beefs.common.posix.PosixException},
     * or with {@link org.beefs.queenbee.lease.ParkedException} when it has to wait, before it has changed anything.
     */
    void run(Request request, QueenReply.Builder reply);
}
