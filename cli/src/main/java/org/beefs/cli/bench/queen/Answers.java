package org.beefs.cli.bench.queen;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;

/** What the queen-bee answers. */
final class Answers {
    private Answers() {}

    /** Waits for it. Fails with {@link PosixException}, also when it does not come in time. */
    static <T> T await(CompletableFuture<T> answer, Duration patience) throws InterruptedException {
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Failures.toPosix(Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            throw new PosixException(
                    Errno.ETIMEDOUT,
                    "the queen-bee has not answered within %d s; files can be made only while a desktop with room is connected"
                            .formatted(patience.toSeconds()));
        }
    }

    /** Fails with the answer's failure; a session that she has ended is one too. */
    static void requireDone(QueenReply reply) {
        if (reply.hasFailure()) {
            throw PosixException.of(reply.getFailure());
        }
        if (reply.getUnknownSession()) {
            throw new PosixException(Errno.ESTALE, "the queen-bee has ended the session");
        }
    }

    /** Whether it changes something, so that it is numbered. */
    static boolean isChange(QueenRequest.Builder request) {
        return switch (request.getOperationCase()) {
            case REGISTER, GOODBYE, LOOKUP, GET_ATTRIBUTES, LIST_DIRECTORY -> false;
            default -> true;
        };
    }
}
