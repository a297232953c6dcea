package org.beefs.common.rpc;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;

/** One attempt to reach a peer: from the link to the greeting. */
final class Connecting {
    private Connecting() {}

    static CompletableFuture<RpcConnection> start(
            Network network,
            Timers timers,
            InetSocketAddress address,
            Duration timeout,
            Function<Link, RpcConnection> open) {
        CompletableFuture<RpcConnection> result = new CompletableFuture<>();
        CompletableFuture<RpcConnection> opened = new CompletableFuture<>();
        Timers.Timer timer = timers.schedule(
                timeout,
                () -> result.completeExceptionally(unreachable(Errno.ETIMEDOUT, address, "no greeting in time")));
        network.connect(address, timeout, link -> remember(open.apply(link), opened))
                .whenComplete((_, e) -> {
                    if (e != null) {
                        result.completeExceptionally(failure(address, Failures.unwrap(e)));
                    }
                });
        opened.thenAccept(connection -> connection.greeted().whenComplete((_, e) -> {
            if (e != null) {
                result.completeExceptionally(e);
            } else {
                result.complete(connection);
            }
        }));
        result.whenComplete((_, e) -> {
            timer.cancel();
            if (e != null) { // also a link that opens later, when nobody wants it any more
                opened.thenAccept(RpcConnection::close);
            }
        });
        return result;
    }

    private static RpcConnection remember(RpcConnection connection, CompletableFuture<RpcConnection> opened) {
        opened.complete(connection);
        return connection;
    }

    private static PosixException failure(InetSocketAddress address, Throwable cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return cause instanceof KeyMismatchException
                ? new PosixException(Errno.EPROTO, "refusing %s: %s".formatted(Addresses.format(address), reason))
                : unreachable(Errno.ENOTCONN, address, reason);
    }

    private static PosixException unreachable(Errno errno, InetSocketAddress address, String reason) {
        return new PosixException(errno, "%s cannot be reached: %s".formatted(Addresses.format(address), reason));
    }
}
