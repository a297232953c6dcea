package org.beefs.queenbee.server;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.operations.QueenState;

/**
 * The way in which others in the same process ask the queen-bee. Thread-safe. Answers come on the namespace thread, so
 * that whoever goes on with one does that elsewhere; a queen-bee that stops answers no more, so that whoever waits has
 * a deadline.
 */
public interface NamespaceAccess {
    /**
     * Runs a question in the next pass. It changes nothing of the namespace, keeps nothing of what it is shown, and
     * looks at so little that nobody notices. What it throws fails the future.
     */
    <T> CompletableFuture<T> ask(Function<QueenState, T> question);

    /** A tool's request: one that needs no session. Answered when what it has changed is written. */
    CompletableFuture<QueenReply> request(QueenRequest request);
}
