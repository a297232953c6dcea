package org.beefs.queenbee.server;

import com.google.protobuf.Parser;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.session.DesktopConnection;

/** One connection: hands requests to the queen-bee, and takes hers to the desktop at the other end. Thread-safe. */
final class QueenService implements Service<QueenRequest>, DesktopConnection {
    private final QueenBee queenBee;
    private final RpcConnection connection;

    QueenService(QueenBee queenBee, RpcConnection connection) {
        this.queenBee = queenBee;
        this.connection = connection;
    }

    @Override
    public Parser<QueenRequest> requests() {
        return QueenRequest.parser();
    }

    @Override
    public void handle(Message<QueenRequest> request, Responder responder) {
        request.payload().close();
        if (!queenBee.submit(request.body(), this, responder)) {
            responder.fail(new PosixException(Errno.EAGAIN, "the queen-bee has too much to do"));
        }
    }

    @Override
    public void closed() {
        queenBee.disconnected(this);
    }

    @Override
    public CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline) {
        return connection
                .<DesktopReply>call(request, Payload.NONE, DesktopReply.parser(), deadline)
                .thenApply(message -> {
                    message.payload().close();
                    return message.body();
                });
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
