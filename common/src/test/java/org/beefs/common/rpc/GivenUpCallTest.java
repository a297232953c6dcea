package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.common.rpc.TimeService.time;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.Test;

/** A call that was given up while it waited for a connection. */
class GivenUpCallTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
    private static final Duration ATTEMPT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private final ManualTimers timers = new ManualTimers();
    private final MemoryNetwork network = new MemoryNetwork(timers);
    private final TimeService service = new TimeService();
    private final AtomicInteger attempts = new AtomicInteger();
    private final Reconnector reconnector = new Reconnector(
            new RpcEnvironment(network, timers, timers.clock(), new Random(1)),
            new Reconnector.Peer(
                    "the queen-bee",
                    () -> ADDRESS,
                    HELLO,
                    _ -> new TimeService(),
                    _ -> CompletableFuture.completedFuture(null)));

    /** Whoever called has been told, and has cleaned up: what an attempt would take, nobody would give back. */
    @Test
    void shouldNotBeAttemptedWhenTheConnectionComesBeforeAllHaveHeardOfItsEnd() {
        var call = reconnector.call(
                () -> {
                    attempts.incrementAndGet();
                    return new Outgoing(time(1));
                },
                Timestamp.parser(),
                ATTEMPT,
                PATIENCE);
        var told = call.whenComplete((_, _) -> {
            listen();
            timers.advance(ATTEMPT);
        });

        timers.advance(PATIENCE);

        assertThat(told).isCompletedExceptionally();
        assertThat(network.connects()).isPositive();
        assertThat(attempts).hasValue(0);
        assertThat(service.asked).isEmpty();
    }

    private void listen() {
        try {
            network.listen(ADDRESS, link -> new RpcConnection(link, timers, HELLO, _ -> service));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
