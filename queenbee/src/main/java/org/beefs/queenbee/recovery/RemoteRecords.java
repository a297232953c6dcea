package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.GetRecords;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.RecordPage;

/** The catalog of a honeycomb that listens somewhere. */
@ProductionOnly
public final class RemoteRecords implements RecordSource, AutoCloseable {
    private static final Duration ATTEMPT = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration PAGE = Duration.ofSeconds(30);

    /** Bytes of records that are asked for at once, of all catalogs together: two pages of each are in memory. */
    private static final int AT_ONCE = 32 << 20;

    private static final int SMALLEST_PAGE = 16 << 10;
    private static final int LARGEST_PAGE = 1 << 20;

    private final InetSocketAddress address;
    private final RpcConnection connection;
    private final int pageBytes;

    private RemoteRecords(InetSocketAddress address, RpcConnection connection, int pageBytes) {
        this.address = address;
        this.connection = connection;
        this.pageBytes = pageBytes;
    }

    /**
     * Connects, trying for a while. Fails with an {@link IOException}, a sentence for people.
     *
     * @param catalogs how many are read at once
     */
    public static CompletableFuture<RemoteRecords> connect(
            InetSocketAddress address,
            Network network,
            Timers timers,
            Clock clock,
            Hello hello,
            Duration patience,
            int catalogs) {
        int pageBytes = Math.clamp(AT_ONCE / Math.max(1, catalogs), SMALLEST_PAGE, LARGEST_PAGE);
        long end = clock.bootNanos() + patience.toNanos();
        return connect(
                        () -> RpcConnection.connect(
                                network, timers, address, ATTEMPT, hello, _ -> new NoService<>(DataRequest.parser())),
                        failure -> failure.errno() == Errno.EPROTO || clock.isPast(end),
                        address,
                        timers)
                .thenApply(connection -> new RemoteRecords(address, connection, pageBytes));
    }

    private static CompletableFuture<RpcConnection> connect(
            Supplier<CompletableFuture<RpcConnection>> attempt,
            Predicate<PosixException> isLast,
            InetSocketAddress address,
            Timers timers) {
        return attempt.get().exceptionallyCompose(e -> {
            PosixException failure = Failures.toPosix(e);
            return isLast.test(failure)
                    ? CompletableFuture.failedFuture(unreachable(address, failure))
                    : Futures.after(timers, PAUSE).thenCompose(_ -> connect(attempt, isLast, address, timers));
        });
    }

    private static IOException unreachable(InetSocketAddress address, PosixException failure) {
        return new IOException(
                "the honeycomb at %s cannot be reached (%s); start its desktop, or leave its address out and say  --without DESKTOP:  what only it knows is missing then"
                        .formatted(Addresses.format(address), failure.getMessage()),
                failure);
    }

    /** Fails with a sentence for people when it is another honeycomb's. */
    void check(ByteString honeycomb) throws IOException {
        try {
            connection.greetedBy(honeycomb).join();
        } catch (CompletionException e) {
            throw new IOException(Failures.toPosix(e).getMessage(), e);
        }
    }

    @Override
    public String name() {
        return "the honeycomb at " + Addresses.format(address);
    }

    @Override
    public CompletableFuture<RecordPage> page(long from) {
        DataRequest request = DataRequest.newBuilder()
                .setGetRecords(GetRecords.newBuilder().setFrom(from).setBytes(pageBytes))
                .build();
        return connection.call(request, DataReply.parser(), PAGE).thenApply(RemoteRecords::page);
    }

    private static RecordPage page(Message<DataReply> reply) {
        reply.payload().close();
        if (reply.body().hasFailure()) {
            throw PosixException.of(reply.body().getFailure());
        }
        return reply.body().getRecords();
    }

    @Override
    public void close() {
        connection.close();
    }
}
