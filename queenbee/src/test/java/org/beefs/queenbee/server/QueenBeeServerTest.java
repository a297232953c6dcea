package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Parser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.rpc.TcpNetwork;
import org.beefs.common.time.SystemClock;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real thing: threads, TCP and RocksDB. */
class QueenBeeServerTest {
    private static final int ROUNDS = 300;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final TcpNetwork network = new TcpNetwork();
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
            RpcConnection connection = connect(server);
            long session = register(connection);
            List<CompletableFuture<QueenReply>> replies = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                replies.add(call(
                        connection,
                        Ask.mkdir(Namespace.ROOT, "d" + i, 0755)
                                .setSession(session)
                                .setSequence(i + 1)
                                .build()));
            }
            replies.forEach(reply -> assertThat(reply.join().hasFailure()).isFalse());
            QueenReply sync =
                    call(connection, Ask.sync().setSession(session).build()).join();
            assertThat(sync.getDurableSequence())
                    .isGreaterThanOrEqualTo(replies.getLast().join().getSequence());
        }
        try (QueenBeeServer server = open("127.0.0.1:0")) {
            RpcConnection connection = connect(server);
            long session = register(connection);
            QueenReply reply = call(
                            connection,
                            Ask.lookup(Namespace.ROOT, "d499")
                                    .setSession(session)
                                    .build())
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
            RpcConnection author = connect(server);
            long authorSession = register(author, "author");
            List<Frame> received = Collections.synchronizedList(new ArrayList<>());
            RpcConnection holder = connect(server, received);
            long holderSession = register(holder, "holder");
            int leased = 0;
            for (int i = 0; i < ROUNDS; i++) {
                received.clear();
                CompletableFuture<QueenReply> lookup = call(
                        holder,
                        Ask.lookup(Namespace.ROOT, "d" + i)
                                .setSession(holderSession)
                                .build());
                CompletableFuture<QueenReply> made = call(
                        author,
                        Ask.mkdir(Namespace.ROOT, "d" + i, 0755)
                                .setSession(authorSession)
                                .setSequence(i + 1)
                                .build());
                assertThat(made.join().hasNode()).isTrue();
                QueenReply seen = lookup.join();
                if (seen.hasFailure() && seen.getEntryLeased()) {
                    leased++;
                    assertThat(received)
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

    private QueenBeeServer open(String state, String address) throws IOException {
        QueenBeeConfig config = QueenBeeConfig.of(address, Path.of(state));
        return QueenBeeServer.open(folder, config, clock, timers, network, new Random(1));
    }

    private RpcConnection connect(QueenBeeServer server) {
        return connect(server, new ArrayList<>());
    }

    private RpcConnection connect(QueenBeeServer server, List<Frame> received) {
        Hello hello = Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();
        CompletableFuture<RpcConnection> connection = new CompletableFuture<>();
        network.connect(server.address(), DEADLINE, link -> listener(link, hello, connection, received));
        RpcConnection made = connection.join();
        made.greeted().join();
        return made;
    }

    private Link.Listener listener(
            Link link, Hello hello, CompletableFuture<RpcConnection> connection, List<Frame> received) {
        RpcConnection made = new RpcConnection(link, timers, hello, self -> new Desktop());
        connection.complete(made);
        return new Link.Listener() {
            @Override
            public void received(Frame frame) {
                received.add(frame);
                made.received(frame);
            }

            @Override
            public void closed(String reason) {
                made.closed(reason);
            }
        };
    }

    private long register(RpcConnection connection) {
        return register(connection, "desk");
    }

    private long register(RpcConnection connection, String desktop) {
        QueenRequest register = QueenRequest.newBuilder()
                .setRegister(Register.newBuilder().setDesktop(desktop).setProcess(1))
                .build();
        return call(connection, register).join().getRegistered().getSession();
    }

    private static CompletableFuture<QueenReply> call(RpcConnection connection, QueenRequest request) {
        return connection
                .<QueenReply>call(request, Payload.NONE, QueenReply.parser(), DEADLINE)
                .thenApply(Message::body);
    }

    private static final class Desktop implements Service<DesktopRequest> {
        @Override
        public Parser<DesktopRequest> requests() {
            return DesktopRequest.parser();
        }

        @Override
        public void handle(Message<DesktopRequest> request, Responder responder) {
            responder.answer(DesktopReply.getDefaultInstance());
        }
    }
}
