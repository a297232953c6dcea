package org.beefs.queenbee.console.model.question;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.server.NamespaceAccess;
import org.beefs.queenbee.session.DesktopConnection;

/**
 * Asks the queen-bee and waits for her answer, within bounds. Not for her own thread. Failures are
 * {@link PosixException}s. Thread-safe.
 */
public final class Questions {
    /** How long an answer may take that waits for nobody else. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final NamespaceAccess queenBee;

    public Questions(NamespaceAccess queenBee) {
        this.queenBee = queenBee;
    }

    /** As {@link NamespaceAccess#ask}. */
    public <T> T ask(Function<QueenState, T> question) {
        return await(queenBee.ask(question), PATIENCE);
    }

    /** As {@link NamespaceAccess#request}, for what needs to wait for nobody; also a refusal is a failure. */
    public QueenReply request(QueenRequest.Builder request) {
        return checked(await(queenBee.request(request.build()), PATIENCE));
    }

    /**
     * Has something done. Fails with EINPROGRESS if it was asked for and there is no answer: then it may be done yet.
     */
    public void act(QueenRequest.Builder request) {
        // Desktops may take that long to let go of what they cache.
        Duration recall = ask(state -> state.config().recallTimeout());
        checked(awaitAct(queenBee.request(request.build()), PATIENCE.plus(recall)));
    }

    /** Has a desktop do something; fails as the other one does. */
    public void act(DesktopConnection desktop, DesktopRequest request) {
        DesktopReply reply = awaitAct(desktop.call(request, PATIENCE), PATIENCE.multipliedBy(2));
        if (reply.hasFailure()) {
            throw PosixException.of(reply.getFailure());
        }
    }

    private static QueenReply checked(QueenReply reply) {
        if (reply.hasFailure()) {
            throw PosixException.of(reply.getFailure());
        }
        return reply;
    }

    private static <T> T awaitAct(CompletableFuture<T> answer, Duration patience) {
        try {
            return await(answer, patience);
        } catch (PosixException e) {
            throw e.errno() == Errno.ETIMEDOUT
                    ? new PosixException(Errno.EINPROGRESS, e.getMessage() + "; it may be done yet")
                    : e;
        }
    }

    private static <T> T await(CompletableFuture<T> answer, Duration patience) {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new PosixException(
                    Errno.ETIMEDOUT, "the queen-bee did not answer within %d s".formatted(patience.toSeconds()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PosixException refused) {
                throw refused;
            }
            throw new IllegalStateException("a defect of the console", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PosixException(Errno.EINTR, "the console stops");
        }
    }
}
