package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TcpDesktop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real thing: threads, TCP and RocksDB. */
class QueenBeeServerTest {
    private static final int ROUNDS = 300;

    private final TcpNetwork network = new TcpNetwork(QueenBeeServer.NETWORK_THREADS);
    private final SystemTimers timers = new SystemTimers();
    private final SystemClock clock = new SystemClock();

    @TempDir
    private Path folder;

    @AfterEach
    void stopThreads() {
        network.close();
        timers.close();
    }

    @Test
    void shouldServeManyRequestsAtOnceAndKnowThemAfterAnotherStart() throws IOException {
        try (QueenBeeServer server = open("127.0.0.1:0")) {
            TcpDesktop desktop = connect(server, "desk");
            List<CompletableFuture<QueenReply>> replies = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                replies.add(desktop.ask(Ask.mkdir(Namespace.ROOT, "d" + i, 0755).setSequence(i + 1)));
            }
            replies.forEach(reply -> assertThat(reply.join().hasFailure()).isFalse());
            QueenReply sync = desktop.ask(Ask.sync()).join();
            assertThat(sync.getDurableSequence())
                    .isGreaterThanOrEqualTo(replies.getLast().join().getSequence());
        }
        try (QueenBeeServer server = open("127.0.0.1:0")) {
            QueenReply reply = connect(server, "desk")
                    .ask(Ask.lookup(Namespace.ROOT, "d499"))
                    .join();
            assertThat(reply.hasNode()).isTrue();
        }
    }

    @Test
    void shouldSayThatAnAddressIsTakenAndLeaveNothingBehind() throws IOException {
        try (QueenBeeServer server = open("127.0.0.1:0")) {
            String taken = "127.0.0.1:" + server.address().getPort();
            assertThatThrownBy(() -> open("other", taken))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen");
            open("other", "127.0.0.1:0").close();
        }
    }

    /** Else a desktop would cache what was recalled before it heard of it. */
    @Test
    void shouldSendARecallBehindTheReplyThatGrantsWhatItRecalls() throws IOException {
        try (QueenBeeServer server = open("127.0.0.1:0")) {
            TcpDesktop author = connect(server, "author");
            TcpDesktop holder = connect(server, "holder");
            int leased = 0;
            for (int i = 0; i < ROUNDS; i++) {
                holder.received().clear();
                CompletableFuture<QueenReply> lookup = holder.ask(Ask.lookup(Namespace.ROOT, "d" + i));
                CompletableFuture<QueenReply> made =
                        author.ask(Ask.mkdir(Namespace.ROOT, "d" + i, 0755).setSequence(i + 1));
                assertThat(made.join().hasNode()).isTrue();
                QueenReply seen = lookup.join();
                if (seen.hasFailure() && seen.getEntryLeased()) {
                    leased++;
                    assertThat(holder.received())
                            .extracting(Frame::kind)
                            .as("in round %d", i)
                            .containsExactly(Frame.Kind.REPLY, Frame.Kind.REQUEST);
                }
            }
            assertThat(leased)
                    .as("rounds in which there was something to recall")
                    .isPositive();
        }
    }

    private QueenBeeServer open(String address) throws IOException {
        return open("queenbee", address);
    }

    private QueenBeeServer open(String name, String address) throws IOException {
        QueenBeeConfig config = QueenBeeConfig.of(address, Path.of("data"));
        Path own = Files.createDirectories(folder.resolve(name));
        return QueenBeeServer.open(
                new ServerWorld(own, config, clock, timers, network, new Random(1), new OperationTimes<>()));
    }

    private TcpDesktop connect(QueenBeeServer server, String name) {
        return new TcpDesktop(network, timers, server.address(), name);
    }
}
