package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.common.rpc.TimeService.time;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer that ends in order. */
class TakenLeaveTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7);
    private static final Duration ATTEMPT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private final ManualTimers timers = new ManualTimers();
    private final MemoryNetwork network = new MemoryNetwork(timers);
    private final TimeService service = new TimeService();
    private final List<RpcConnection> accepted = new ArrayList<>();
    private final AtomicInteger untaken = new AtomicInteger();
    private final Reconnector reconnector = new Reconnector(
            new RpcEnvironment(network, timers, timers.clock(), new Random(1)),
            new Reconnector.Peer(
                    "the honeycomb",
                    () -> ADDRESS,
                    HELLO,
                    _ -> new TimeService(),
                    _ -> CompletableFuture.completedFuture(null)));

    @BeforeEach
    void listen() throws IOException {
        network.listen(ADDRESS, link -> {
            RpcConnection connection = new RpcConnection(link, timers, HELLO, _ -> service);
            accepted.add(connection);
            return connection;
        });
    }

    @Test
    void shouldAnswerWhatItHasTakenAndSayThatNothingElseWasCarriedOut() {
        RpcConnection client = connect();
        var taken = client.call(time(1), Timestamp.parser(), ATTEMPT);
        timers.runDue();
        accepted.getFirst().takeLeave("it stops", () -> {});
        var late = client.call(time(2), Timestamp.parser(), ATTEMPT);
        timers.runDue();
        assertThat(late).as("it waits for the end of what was taken").isNotDone();

        service.asked.getFirst().answer(10);
        timers.runDue();

        assertThat(taken.join().body()).isEqualTo(time(10));
        assertNotCarriedOut(late);
        assertThat(service.asked).hasSize(1);
        assertThat(client.isOpen()).isFalse();
        assertThat(accepted.getFirst().isOpen()).isFalse();
    }

    @Test
    void shouldSayThatNothingMadeAfterwardsWasCarriedOut() {
        RpcConnection client = connect();
        accepted.getFirst().takeLeave("it stops", () -> {});
        timers.runDue();

        assertNotCarriedOut(client.call(time(1), Timestamp.parser(), ATTEMPT));
    }

    @Test
    void shouldBeAskedAgainWhenItIsThereAgain() {
        ask(1);
        accepted.getFirst().takeLeave("it stops", () -> {});
        var late = ask(2);

        service.asked.getFirst().answer(10);
        timers.advance(ATTEMPT);
        service.asked.get(1).answer(20);
        timers.runDue();

        assertThat(late.join().body()).isEqualTo(time(20));
        assertThat(untaken).hasValue(1);
        assertThat(accepted).hasSize(2);
    }

    private RpcConnection connect() {
        var connecting = RpcConnection.connect(network, timers, ADDRESS, ATTEMPT, HELLO, _ -> new TimeService());
        timers.runDue();
        return connecting.join();
    }

    private CompletableFuture<Message<Timestamp>> ask(long seconds) {
        var reply = reconnector.call(
                () -> new Outgoing(time(seconds), Payload.NONE, () -> true, untaken::incrementAndGet),
                Timestamp.parser(),
                ATTEMPT,
                PATIENCE);
        timers.runDue();
        return reply;
    }

    private static void assertNotCarriedOut(CompletableFuture<?> call) {
        assertThat(call).isCompletedExceptionally();
        PosixException failure = Failures.toPosix(call.exceptionNow());
        assertThat(failure).hasMessage("it stops");
        assertThat(failure.errno()).isEqualTo(Errno.EAGAIN);
    }
}
