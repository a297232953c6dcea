package org.beefs.honeycomb.server;

import com.google.protobuf.Parser;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one connection of a honeybee: answers small reads of what is in memory at once, hands all other requests to
 * the disk's threads, and their results back.
 */
final class DataService implements Service<DataRequest> {
    /**
     * Reads that are tried on the network's thread before its other connections get their turn: about 1 ms, and at most
     * 8 MiB, because what is answered there leaves only then.
     */
    static final int MOST_AT_HAND = 128;

    private static final Logger LOG = LoggerFactory.getLogger(DataService.class);

    private final DataOperations operations;
    private final Sessions sessions;
    private final Backlog unwritten;
    private final Unsent unsent;
    private final Executor disk;
    private final long connection;

    /** Reads that were tried since others had their turn. Used by the thread that receives only. */
    private int triedAtHand;

    /**
     * Serves a new connection.
     *
     * @param unwritten of all connections
     * @param unsent of this one
     * @param connection its number, higher than those of connections opened before
     */
    DataService(
            DataOperations operations,
            Sessions sessions,
            Backlog unwritten,
            Unsent unsent,
            Executor disk,
            long connection) {
        this.operations = operations;
        this.sessions = sessions;
        this.unwritten = unwritten;
        this.unsent = unsent;
        this.disk = disk;
        this.connection = connection;
    }

    @Override
    public Parser<DataRequest> requests() {
        return DataRequest.parser();
    }

    @Override
    public void handle(Message<DataRequest> request, Responder responder) {
        LOG.debug("asked {}", request.body().getOperationCase());
        SessionAnswers session = sessions.of(request.body().getSession());
        if (session.admits(connection) && isAnsweredAtHand(request, responder)) {
            return;
        }
        int content = request.payload().length();
        if (!unwritten.admit(content)) {
            refuse(request, responder, Errno.EAGAIN, "too much content waits to be written");
            return;
        }
        try {
            disk.execute(() -> {
                unwritten.done(content);
                serve(request, session, responder);
            });
        } catch (RejectedExecutionException e) {
            unwritten.done(content);
            refuse(request, responder, Errno.EAGAIN, "too many requests wait for this honeycomb's disk");
        }
    }

    @Override
    public void handledAll() {
        triedAtHand = 0;
    }

    private boolean isAnsweredAtHand(Message<DataRequest> request, Responder responder) {
        DataRequest body = request.body();
        if (!body.hasRead()
                || body.getSequence() != 0
                || request.payload().length() > 0
                || triedAtHand == MOST_AT_HAND) {
            return false;
        }
        triedAtHand++;
        Message<DataReply> reply = readAtHand(body);
        if (reply == null) {
            return false;
        }
        request.payload().close();
        answer(reply, responder);
        return true;
    }

    private @Nullable Message<DataReply> readAtHand(DataRequest body) {
        try {
            return operations.readAtHand(body.getTarget(), body.getRead());
        } catch (RuntimeException | OutOfMemoryError e) {
            return failed(body, e);
        }
    }

    private void serve(Message<DataRequest> request, SessionAnswers session, Responder responder) {
        DataRequest body = request.body();
        if (body.getSequence() != 0) {
            serveOnce(request, session, responder);
        } else if (!session.admits(connection)) {
            refuse(request, responder, Errno.ENOTCONN, "the session has a newer connection");
        } else if (DataOperations.changes(body)) {
            refuse(request, responder, Errno.EINVAL, "a change needs a sequence");
        } else {
            run(request).thenAccept(reply -> answer(reply, responder));
        }
    }

    private void serveOnce(Message<DataRequest> request, SessionAnswers session, Responder responder) {
        Consumer<DataReply> waiter = reply -> answer(new Message<>(reply, Payload.NONE), responder);
        switch (session.begin(connection, request.body(), waiter)) {
            case NEW ->
                run(request).thenAccept(reply -> session.answer(request.body().getSequence(), withoutContent(reply)));
            case IN_PROGRESS, ANSWERED -> request.payload().close();
            case FORGOTTEN -> refuse(request, responder, Errno.ECANCELED, "the session has given this request up");
            case FULL -> refuse(request, responder, Errno.EAGAIN, "too many requests are not acknowledged");
        }
    }

    /** Runs a request; a failure is a result, too. Closes the request's content when it is done. */
    private CompletableFuture<Message<DataReply>> run(Message<DataRequest> request) {
        return unsent.answer(DataOperations.mostContent(request.body()), () -> operations.run(request))
                .whenComplete((reply, failure) -> request.payload().close())
                .exceptionally(failure -> failed(request.body(), failure));
    }

    /** A read for which there was no memory may come again; of a change nobody knows how far it has come. */
    private static Message<DataReply> failed(DataRequest request, Throwable thrown) {
        Throwable failure = Failures.unwrap(thrown);
        if (failure instanceof OutOfMemoryError && !DataOperations.changes(request)) {
            failure = new PosixException(Errno.EAGAIN, "there is no memory for the answer: " + failure.getMessage());
        }
        if (Failures.isUnforeseen(failure)) {
            LOG.error("a request failed", failure);
        }
        DataReply reply = DataReply.newBuilder()
                .setFailure(Failures.toPosix(failure).toFailure())
                .build();
        return new Message<>(reply, Payload.NONE);
    }

    /**
     * The answer to keep. Numbered requests have no content in their answer; should one have asked for it, it is not
     * kept.
     */
    private static DataReply withoutContent(Message<DataReply> reply) {
        reply.payload().close();
        return reply.body();
    }

    /**
     * Answers. Failures that are about the moment, and not about the request, are told so that the caller tries again:
     * all as EAGAIN, as a closed store's ENOTCONN would be EIO for him.
     */
    private static void answer(Message<DataReply> reply, Responder responder) {
        if (SessionAnswers.passes(reply.body())) {
            responder.fail(
                    new PosixException(Errno.EAGAIN, reply.body().getFailure().getReason()));
        } else {
            responder.answer(reply.body(), reply.payload());
        }
    }

    private static void refuse(Message<DataRequest> request, Responder responder, Errno errno, String reason) {
        request.payload().close();
        responder.fail(new PosixException(errno, reason));
    }
}
