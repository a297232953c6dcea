package org.beefs.queenbee.console.model;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.server.NamespaceAccess;

/** Asks the queen-bee and waits for her answer, within bounds. Not for her own thread. Failures are {@link PosixException}s. Thread-safe. */
final class Questions {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final NamespaceAccess queenBee;

    Questions(NamespaceAccess queenBee) {
        this.queenBee = queenBee;
    }

    /** As {@link NamespaceAccess#ask}. */
    <T> T ask(Function<QueenState, T> question) {
        return await(queenBee.ask(question));
    }

    /** As {@link NamespaceAccess#request}; also a refusal is a failure. */
    QueenReply request(QueenRequest.Builder request) {
        QueenReply reply = await(queenBee.request(request.build()));
        if (reply.hasFailure()) {
            throw PosixException.of(reply.getFailure());
        }
        return reply;
    }

    /** Waits for what will be answered. */
    static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new PosixException(
                    Errno.ETIMEDOUT, "the queen-bee did not answer within %d s".formatted(PATIENCE.toSeconds()));
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
