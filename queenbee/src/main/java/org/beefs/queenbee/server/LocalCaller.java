package org.beefs.queenbee.server;

import com.google.protobuf.MessageLite;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.session.DesktopConnection;

/** Stands for the connection of a caller in this process, which is no desktop and cannot be asked anything. */
final class LocalCaller implements DesktopConnection {
    static final LocalCaller INSTANCE = new LocalCaller();

    private LocalCaller() {}

    @Override
    public CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline) {
        return CompletableFuture.failedFuture(
                new PosixException(Errno.ENOTCONN, "the queen-bee herself is no desktop"));
    }

    @Override
    public void close() {}

    @Override
    public String peer() {
        return "the queen-bee herself";
    }

    /** Completes a future with the answer to such a caller. */
    record Responder(CompletableFuture<QueenReply> reply) implements Service.Responder {
        @Override
        public void answer(MessageLite answer, Payload payload) {
            payload.close();
            reply.complete((QueenReply) answer);
        }

        @Override
        public void fail(PosixException cause) {
            reply.completeExceptionally(cause);
        }
    }
}
