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
import org.beefs.common.rpc.Allowance;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
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

    /** How long nothing may come while a page is on its way. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** How long a page may be on its way, however slow the network is. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /**
     * Bytes of records that are asked for at once at most, of all catalogs together: two pages of each are in memory.
     */
    private static final int AT_ONCE = 32 << 20;

    /** Asked for at first. All catalogs' pages may be on their way at a time, over one slow uplink. */
    private static final int SMALLEST_PAGE = 16 << 10;

    private static final int LARGEST_PAGE = 1 << 20;

    private final InetSocketAddress address;
    private final RpcConnection connection;
    private final Clock clock;
    private final Allowance allowance;

    private RemoteRecords(InetSocketAddress address, RpcConnection connection, Clock clock, int largestPage) {
        this.address = address;
        this.connection = connection;
        this.clock = clock;
        allowance = new Allowance(SMALLEST_PAGE, largestPage);
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
        int largestPage = Math.clamp(AT_ONCE / Math.max(1, catalogs), SMALLEST_PAGE, LARGEST_PAGE);
        long end = clock.bootNanos() + patience.toNanos();
        return connect(
                        () -> RpcConnection.connect(
                                network, timers, address, ATTEMPT, hello, _ -> new NoService<>(DataRequest.parser())),
                        failure -> failure.errno() == Errno.EPROTO || clock.isPast(end),
                        address,
                        timers)
                .thenApply(connection -> new RemoteRecords(address, connection, clock, largestPage));
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
        int bytes = allowance.bytes();
        DataRequest request = DataRequest.newBuilder()
                .setGetRecords(GetRecords.newBuilder().setFrom(from).setBytes(bytes))
                .build();
        long asked = clock.bootNanos();
        long end = asked + LONGEST.toNanos();
        Outgoing outgoing = new Outgoing(request, Payload.NONE, () -> !clock.isPast(end));
        return connection
                .call(outgoing, DataReply.parser(), SILENCE, reply -> {
                    boolean full = reply.getRecords().getSerializedSize() >= bytes;
                    allowance.came(full, clock.bootNanos() - asked);
                })
                .thenApply(RemoteRecords::page);
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
