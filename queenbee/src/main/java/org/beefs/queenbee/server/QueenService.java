package org.beefs.queenbee.server;

import com.google.protobuf.Parser;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.request.RequestIds;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.server.request.Incoming;
import org.beefs.queenbee.session.DesktopConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: hands requests to the queen-bee, and takes hers to the desktop at the other end. Thread-safe. */
final class QueenService implements Service<QueenRequest>, DesktopConnection {
    private static final Logger LOG = LoggerFactory.getLogger(QueenService.class);

    private final QueenBee queenBee;
    private final RpcConnection connection;
    private final RequestIds requestIds;

    /** @param requestIds ids for requests that she makes herself */
    QueenService(QueenBee queenBee, RpcConnection connection, RequestIds requestIds) {
        this.queenBee = queenBee;
        this.connection = connection;
        this.requestIds = requestIds;
    }

    @Override
    public Parser<QueenRequest> requests() {
        return QueenRequest.parser();
    }

    @Override
    public void handle(Message<QueenRequest> request, Responder responder) {
        request.payload().close();
        LOG.debug("{} asks {}", peer(), request.body().getOperationCase());
        boolean taken = queenBee.submit(request.body(), this, responder);
        if (!taken && Incoming.mayBeRefused(request.body())) {
            responder.fail(new PosixException(Errno.EAGAIN, "the queen-bee has too much to do"));
        } else if (!taken) {
            LOG.info("hangs up on {}: the queen-bee has too much to do", peer());
            close();
        }
    }

    @Override
    public void closed() {
        queenBee.disconnected(this);
    }

    @Override
    public CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline) {
        long before = CurrentRequest.enter(requestIds.currentOrNext());
        try {
            LOG.debug("asks {} {}", peer(), request.getOperationCase());
            return connection
                    .<DesktopReply>call(request, DesktopReply.parser(), deadline)
                    .thenApply(message -> {
                        message.payload().close();
                        return message.body();
                    });
        } finally {
            CurrentRequest.leave(before);
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String peer() {
        return connection.peer();
    }
}
