package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.DataRequest;
import org.junit.jupiter.api.Test;

/** Looks for the honeycombs of a hive of which most desktops are off: nothing answers there, not even a refusal. */
class CatalogsTest {
    private static final Duration ATTEMPT = Duration.ofSeconds(2);

    private final ManualTimers timers = new ManualTimers();
    private final MemoryNetwork memory = new MemoryNetwork(timers);
    private final List<InetSocketAddress> off = IntStream.rangeClosed(1, 20)
            .mapToObj(i -> InetSocketAddress.createUnresolved("off" + i, 1))
            .toList();

    @Test
    void shouldTryThemAllAtOnce() {
        CompletableFuture<Catalogs> searched = search(off).all(Duration.ZERO);
        assertThat(searched).isNotDone();

        timers.advance(ATTEMPT);

        assertThat(searched).isDone();
        assertThat(searched.join().missing()).isEqualTo(off);
        assertThatThrownBy(searched.join()::requireAll)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the honeycomb at off1:1 cannot be reached (")
                .hasMessageContaining(". Nor can be reached: off2:1, off3:1, ");
    }

    @Test
    void shouldKeepTryingThoseThatMayJustBeStarting() throws IOException {
        InetSocketAddress starting = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_123);
        CompletableFuture<Catalogs> searched = search(withOneMore(starting)).all(Duration.ofSeconds(5));
        timers.advance(Duration.ofSeconds(1));

        listen(starting);
        timers.advance(Duration.ofSeconds(6));

        try (Catalogs found = searched.join()) {
            assertThat(found.reached()).hasSize(1);
            assertThat(found.missing()).isEqualTo(off);
        }
    }

    @Test
    void shouldWaitForNobodyElseWhenOneAnswers() throws IOException {
        InetSocketAddress there = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        CompletableFuture<Boolean> answered = search(withOneMore(there)).any();

        timers.runDue();

        assertThat(answered).isCompletedWithValue(true);
    }

    @Test
    void shouldSayThatNobodyAnswers() {
        CompletableFuture<Boolean> answered = search(off).any();

        timers.advance(ATTEMPT);

        assertThat(answered).isCompletedWithValue(false);
    }

    private List<InetSocketAddress> withOneMore(InetSocketAddress address) {
        List<InetSocketAddress> all = new ArrayList<>(off);
        all.add(address);
        return all;
    }

    private InetSocketAddress listen(InetSocketAddress address) throws IOException {
        return memory.listen(
                        address,
                        link -> new RpcConnection(
                                link, timers, QueenBeeServer.hello(), _ -> new NoService<>(DataRequest.parser())))
                .address();
    }

    private Catalogs.Search search(List<InetSocketAddress> honeycombs) {
        return new Catalogs.Search(new MostlyOff(), timers, timers.clock(), honeycombs);
    }

    private final class MostlyOff implements Network {
        @Override
        public CompletableFuture<Link> connect(
                InetSocketAddress address, Duration timeout, Function<Link, Link.Listener> listener) {
            return off.contains(address) ? new CompletableFuture<>() : memory.connect(address, timeout, listener);
        }

        @Override
        public Server listen(InetSocketAddress address, int most, Function<Link, Link.Listener> acceptor) {
            throw new UnsupportedOperationException();
        }
    }
}
