package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.KeyMismatchException;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RecordingListener;
import org.beefs.common.wire.Refusal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class KeyExchangeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final RecordingListener near = new RecordingListener();
    private final RecordingListener far = new RecordingListener();
    private HiveKey key;
    private HiveKey other;

    @BeforeEach
    void makeKeys() throws IOException {
        key = key("hive.key");
        other = key("other.key");
    }

    @Test
    void shouldCarryFramesBetweenThoseWhoHaveTheKey() throws Exception {
        try (TcpNetwork server = new TcpNetwork(1, key);
                TcpNetwork client = new TcpNetwork(1, key)) {
            connect(server, client).get(30, TimeUnit.SECONDS).send(greeting());

            assertThat(far.frames.poll(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void shouldNotTalkWithWhoHasAnotherKey() {
        assertThat(refusal(key, other)).isEqualTo("it has another key than this hive (hive.key)");
    }

    @Test
    void shouldBeRefusedByWhoHasAKeyWithoutOne() throws Exception {
        try (TcpNetwork server = new TcpNetwork(1, key);
                TcpNetwork client = new TcpNetwork(1)) {
            assertThat(connect(server, client)).succeedsWithin(PATIENCE); // as far as TCP goes

            Frame answer = near.frames.poll(30, TimeUnit.SECONDS);
            assertThat(answer).isNotNull();
            assertThat(Refusal.parseFrom(answer.message()).getReason())
                    .isEqualTo("it wants the key of its hive, and this process has none (hive.key)");
        }
    }

    @Test
    void shouldNotTalkWithAServerThatHasNoKey() {
        assertThat(refusal(null, key)).isEqualTo("it does not use the key of this hive (hive.key)");
    }

    /** As a proxy does that has nobody behind it. */
    @Test
    void shouldTryTheNextAddressOfANameWhereOneAcceptsAndHangsUp() throws Exception {
        InetAddress deserted = InetAddress.ofLiteral("127.0.0.2");
        try (TcpNetwork server = new TcpNetwork(1, key);
                Network.Server listening = server.listen(ANY_PORT, _ -> far);
                ServerSocket proxy = new ServerSocket(listening.address().getPort(), 1, deserted);
                TcpNetwork client =
                        new TcpNetwork(1, key, PATIENCE, _ -> new InetAddress[] {deserted, ANY_PORT.getAddress()})) {
            CompletableFuture<Link> link = client.connect(
                    InetSocketAddress.createUnresolved(
                            "bees.example.org", listening.address().getPort()),
                    PATIENCE,
                    _ -> near);
            proxy.accept().close();

            assertThat(link.get(30, TimeUnit.SECONDS).localAddress()).isEqualTo(ANY_PORT.getAddress());
        }
    }

    /** There the right process may be restarting. */
    @Test
    void shouldTryAgainWhereOneAddressOfANameHasAnotherKeyAndAnotherOneDoesNotAnswer() throws Exception {
        InetAddress deserted = InetAddress.ofLiteral("127.0.0.2");
        InetAddress wrong = ANY_PORT.getAddress();
        for (InetAddress[] order : List.of(new InetAddress[] {wrong, deserted}, new InetAddress[] {deserted, wrong})) {
            try (TcpNetwork server = new TcpNetwork(1, key);
                    Network.Server listening = server.listen(ANY_PORT, _ -> far);
                    TcpNetwork client = new TcpNetwork(1, other, PATIENCE, _ -> order)) {
                InetSocketAddress named = InetSocketAddress.createUnresolved(
                        "bees.example.org", listening.address().getPort());

                assertThat(client.connect(named, PATIENCE, _ -> near))
                        .failsWithin(PATIENCE)
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(ConnectException.class)
                        .withMessageContainingAll("Connection refused", "it has another key than this hive");
            }
        }
    }

    @Test
    void shouldEndTheConnectionWithSomebodyWhoKeepsSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpNetwork client = new TcpNetwork(1, key)) {
            CompletableFuture<Link> link = client.connect(
                    (InetSocketAddress) silent.getLocalSocketAddress(), Duration.ofMillis(200), _ -> near);

            try (Socket accepted = silent.accept()) {
                assertThat(link)
                        .failsWithin(PATIENCE)
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(ConnectException.class);
                accepted.getInputStream().readAllBytes(); // returns when the other side has closed
            }
        }
    }

    @Test
    void shouldNotTakeItsOwnProofForTheOthers() {
        EmbeddedChannel victim = new EmbeddedChannel(new KeyExchange(key, false));
        ByteBuf challenge = victim.readOutbound();
        victim.writeInbound(challenge.copy()); // as an impostor does who sends back all that he gets
        ByteBuf proof = victim.readOutbound();

        assertThatThrownBy(() -> victim.writeInbound(proof))
                .isInstanceOf(KeyMismatchException.class)
                .hasMessage("it has another key than this hive (hive.key)");
        challenge.release();
    }

    /** Their frames have no codes. */
    @Test
    void shouldSayThatTheOtherSideIsOfAnOlderProtocol() {
        EmbeddedChannel ours = new EmbeddedChannel(new KeyExchange(key, false));

        assertThatThrownBy(() -> ours.writeInbound(Unpooled.buffer().writeInt(0xBEE0F54B)))
                .isInstanceOf(KeyMismatchException.class)
                .hasMessage("it speaks an older BeeFS protocol: install the same version on both machines");
        ours.finishAndReleaseAll();
    }

    @Test
    void shouldHandOnWhatComesRightBehindTheProof() {
        EmbeddedChannel connecting = new EmbeddedChannel(new KeyExchange(key, true));
        EmbeddedChannel accepting = new EmbeddedChannel(new KeyExchange(key, false));
        connecting.writeInbound((ByteBuf) accepting.readOutbound());
        accepting.writeInbound((ByteBuf) connecting.readOutbound());
        ByteBuf proof = connecting.readOutbound();

        accepting.writeInbound(Unpooled.wrappedBuffer(proof, Unpooled.wrappedBuffer(new byte[] {7})));

        ByteBuf behind = accepting.readInbound();
        assertThat(behind.readByte()).isEqualTo((byte) 7);
        behind.release();
    }

    /** What who connects is told. */
    private String refusal(@Nullable HiveKey servers, HiveKey clients) {
        try (TcpNetwork server = new TcpNetwork(1, servers);
                TcpNetwork client = new TcpNetwork(1, clients)) {
            CompletableFuture<Link> link = connect(server, client);

            assertThat(link).failsWithin(PATIENCE).withThrowableOfType(ExecutionException.class);
            return String.valueOf(link.exceptionNow().getMessage());
        }
    }

    private CompletableFuture<Link> connect(TcpNetwork server, TcpNetwork client) {
        try {
            Network.Server listening = server.listen(ANY_PORT, link -> {
                link.send(greeting());
                return far;
            });
            return client.connect(listening.address(), PATIENCE, _ -> near);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private HiveKey key(String name) throws IOException {
        Path file = folder.resolve(name);
        HiveKey.create(file);
        return HiveKey.read(file);
    }

    private static Frame greeting() {
        return new Frame(Frame.Kind.HELLO, 0, ByteString.EMPTY, Payload.NONE);
    }
}
