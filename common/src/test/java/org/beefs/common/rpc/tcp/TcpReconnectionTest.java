package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.common.rpc.TimeService.time;

import com.google.protobuf.Parser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything real and in parallel, with a peer that breaks the connection all the time. */
@Timeout(120)
class TcpReconnectionTest {
    private static final int THREADS = 4;
    private static final int CALLS_PER_THREAD = 2000;
    private static final int REQUESTS_PER_CONNECTION = 700;
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void shouldAnswerEachCallWithItsOwnReplyAndReleaseAllContent() throws Exception {
        ByteBuf content = Unpooled.directBuffer().writeBytes(new byte[20_000]);
        ConcurrentLinkedQueue<CompletableFuture<Boolean>> answered = new ConcurrentLinkedQueue<>();
        AtomicInteger handshakes = new AtomicInteger();
        try (SystemTimers timers = new SystemTimers();
                TcpNetwork network = new TcpNetwork();
                Network.Server server = network.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        link -> new RpcConnection(link, timers, HELLO, Breaking::new));
                Reconnector reconnector = new Reconnector(
                        new RpcEnvironment(network, timers, new SystemClock(), new Random(1)),
                        new Reconnector.Peer("the peer", server::address, HELLO, Breaking::new, _ -> {
                            handshakes.incrementAndGet();
                            return CompletableFuture.completedFuture(null);
                        }));
                ExecutorService callers = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                done.add(callers.submit(() -> {
                    for (int n = 0; n < CALLS_PER_THREAD; n++) {
                        answered.add(ask(reconnector, thread * CALLS_PER_THREAD + n, content));
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
            for (CompletableFuture<Boolean> each : answered) {
                assertThat(each).succeedsWithin(PATIENCE).isEqualTo(true);
            }
        }
        assertThat(answered).hasSize(THREADS * CALLS_PER_THREAD);
        assertThat(handshakes).hasValueGreaterThan(2);
        assertThat(content.refCnt()).isEqualTo(1);
    }

    private static CompletableFuture<Boolean> ask(Reconnector reconnector, long number, ByteBuf content) {
        return reconnector
                .call(
                        () -> new Outgoing(time(number), new Payload.Bytes(content.retainedSlice())),
                        Timestamp.parser(),
                        PATIENCE,
                        PATIENCE)
                .thenApply(reply -> {
                    int length = reply.payload().length();
                    reply.payload().close();
                    return reply.body().equals(time(number)) && length == 20_000;
                });
    }

    /** Answers with what was asked, and closes the connection after some requests. */
    private static final class Breaking implements Service<Timestamp> {
        private final RpcConnection connection;
        private int requests;

        Breaking(RpcConnection connection) {
            this.connection = connection;
        }

        @Override
        public Parser<Timestamp> requests() {
            return Timestamp.parser();
        }

        @Override
        public void handle(Message<Timestamp> request, Responder responder) {
            responder.answer(request.body(), request.payload());
            if (++requests == REQUESTS_PER_CONNECTION) {
                connection.close();
            }
        }
    }
}
