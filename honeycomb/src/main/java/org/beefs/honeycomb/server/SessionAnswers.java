package org.beefs.honeycomb.server;

import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.honeycomb.server.SequencedAnswers.Admission;

/**
 * Requests of one session and their answers, so that each of its changes is carried out at most once, and none is begun
 * after a later one was answered. Thread-safe.
 *
 * <p>A session has one connection with a honeycomb at a time. When a request comes on a newer one, the session has
 * given the older one up, and sends again what it still wants: whatever is left of the older one is not begun any more.
 * What was begun is not stopped, and may land after a later change, if the session has given it up meanwhile.
 */
final class SessionAnswers {
    private final SequencedAnswers<DataReply> answers = new SequencedAnswers<>();
    private long newestConnection;

    /** Whether requests of this connection count; from now on those of older ones do not. */
    synchronized boolean admits(long connection) {
        newestConnection = Math.max(newestConnection, connection);
        return connection == newestConnection;
    }

    /** As {@link SequencedAnswers#begin}; a request of an older connection counts as given up. */
    synchronized Admission begin(long connection, DataRequest request, Consumer<DataReply> waiter) {
        if (!admits(connection)) {
            return Admission.FORGOTTEN;
        }
        answers.acknowledge(request.getAcknowledged());
        return answers.begin(request.getSequence(), waiter);
    }

    /** A request that was begun has this result. One that was not carried out, may begin again. */
    synchronized void answer(long sequence, DataReply reply) {
        if (passes(reply)) {
            answers.abandon(sequence, reply);
        } else {
            answers.answer(sequence, reply);
        }
    }

    /**
     * Whether an answer is about the moment, and not about the request, which was not carried out and may come again.
     */
    static boolean passes(DataReply reply) {
        int errno = reply.getFailure().getErrno();
        return errno == Errno.EAGAIN.number() || errno == Errno.ENOTCONN.number();
    }
}
