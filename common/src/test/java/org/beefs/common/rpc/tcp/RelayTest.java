package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.beefs.common.log.LogLines;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RecordingListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody without the hive's key stands between two who have it, and passes on what he likes. */
@Timeout(60)
class RelayTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CHALLENGE_BYTES = 36;
    private static final int PROOF_BYTES = 32;
    private static final String FORGED = "a frame is forged, or was changed, repeated or left out on the way";

    private final RecordingListener near = new RecordingListener();
    private final RecordingListener far = new RecordingListener();
    private final CompletableFuture<Link> accepted = new CompletableFuture<>();
    private TcpNetwork server;
    private TcpNetwork client;
    private ServerSocket relay;
    private CompletableFuture<Link> opened;
    private Socket towardsClient;
    private Socket towardsServer;

    @BeforeEach
    void connectThroughTheRelay(@TempDir Path folder) throws IOException {
        HiveKey.create(folder.resolve(HiveKey.FILE));
        HiveKey key = HiveKey.read(folder.resolve(HiveKey.FILE));
        server = new TcpNetwork(1, key);
        client = new TcpNetwork(1, key);
        relay = new ServerSocket(0, 1, HERE);
        Network.Server listening = server.listen(new InetSocketAddress(HERE, 0), link -> {
            accepted.complete(link);
            return far;
        });
        opened = client.connect((InetSocketAddress) relay.getLocalSocketAddress(), PATIENCE, _ -> near);
        towardsClient = relay.accept();
        towardsServer = new Socket(HERE, listening.address().getPort());
        towardsClient.setSoTimeout(10_000);
        towardsServer.setSoTimeout(10_000);
    }

    @AfterEach
    void close() throws IOException {
        towardsClient.close();
        towardsServer.close();
        relay.close();
        client.close();
        server.close();
    }

    @Test
    void shouldNotHearWhoHasOnlyPassedOnTheExchangeToAServer() throws IOException {
        passOnTheExchange();
        towardsClient.close();

        try (LogLines log = new LogLines(RefusalLog.class.getName())) {
            sayOneself(towardsServer);

            assertThat(far.closed).succeedsWithin(PATIENCE).isEqualTo(FORGED);
            assertThat(far.frames).isEmpty();
            assertThat(log.warnings()).singleElement().asString().endsWith(": " + FORGED);
        }
    }

    @Test
    void shouldNotHearWhoHasOnlyPassedOnTheExchangeToAClient() throws IOException {
        passOnTheExchange();
        towardsServer.close();

        sayOneself(towardsClient);

        assertThat(near.closed).succeedsWithin(PATIENCE).isEqualTo(FORGED);
        assertThat(near.frames).isEmpty();
    }

    @Test
    void shouldNotTakeItsOwnFramesForTheOthers() throws IOException {
        passOnTheExchange();
        opened.join().send(frame(0, 0));
        towardsClient.getOutputStream().write(read(towardsClient, FrameHeader.LENGTH + FrameMac.LENGTH));

        assertThat(near.closed).succeedsWithin(PATIENCE).isEqualTo(FORGED);
        assertThat(near.frames).isEmpty();
    }

    @Test
    void shouldNotHearAFrameTwice() throws Exception {
        passOnTheExchange();
        opened.join().send(frame(1, 0));
        byte[] frame = read(towardsClient, FrameHeader.LENGTH + FrameMac.LENGTH);

        towardsServer.getOutputStream().write(frame);
        assertThat(far.frames.poll(30, TimeUnit.SECONDS)).isNotNull();
        towardsServer.getOutputStream().write(frame);

        assertThat(far.closed).succeedsWithin(PATIENCE).isEqualTo(FORGED);
        assertThat(far.frames).isEmpty();
    }

    @Test
    void shouldUnderstandTheOtherSideThroughARelayThatPassesOnEverything() throws Exception {
        Thread there = passOnAll(towardsClient, towardsServer);
        Thread back = passOnAll(towardsServer, towardsClient);

        opened.get(30, TimeUnit.SECONDS).send(frame(1, 1000));
        assertThat(far.frames.poll(30, TimeUnit.SECONDS)).isNotNull();
        accepted.join().send(frame(0, 0));
        accepted.join().send(frame(1, Frame.MAX_PAYLOAD));
        assertThat(near.frames.poll(30, TimeUnit.SECONDS)).isNotNull();
        Frame answer = near.frames.poll(30, TimeUnit.SECONDS);

        assertThat(answer).isNotNull();
        assertThat(answer.payload().length()).isEqualTo(Frame.MAX_PAYLOAD);
        answer.payload().close();
        opened.join().close();
        there.join();
        back.join();
    }

    @Test
    void shouldNumberTheFramesOfAllThreadsAsTheyAreSent() throws Exception {
        passOnAll(towardsClient, towardsServer);
        passOnAll(towardsServer, towardsClient);
        Link link = opened.get(30, TimeUnit.SECONDS);
        link.send(frame(0, 0));
        int each = 200;

        Thread[] senders = new Thread[4];
        for (int i = 0; i < senders.length; i++) {
            Random random = new Random(i);
            senders[i] = Thread.ofPlatform().start(() -> {
                for (int id = 1; id <= each; id++) {
                    link.send(frame(id, random.nextInt(10) == 0 ? 100_000 : random.nextInt(100)));
                }
            });
        }

        for (int i = 0; i <= senders.length * each; i++) {
            Frame frame = far.frames.poll(30, TimeUnit.SECONDS);
            assertThat(frame).isNotNull();
            frame.payload().close();
        }
        assertThat(far.closed).isNotDone();
    }

    private void passOnTheExchange() throws IOException {
        towardsServer.getOutputStream().write(read(towardsClient, CHALLENGE_BYTES));
        towardsClient.getOutputStream().write(read(towardsServer, CHALLENGE_BYTES));
        towardsServer.getOutputStream().write(read(towardsClient, PROOF_BYTES));
        towardsClient.getOutputStream().write(read(towardsServer, PROOF_BYTES));
        opened.join();
        accepted.join();
    }

    private static byte[] read(Socket from, int bytes) throws IOException {
        return from.getInputStream().readNBytes(bytes);
    }

    /** A greeting as it is in a hive without a key, and more. Returns when the other side has hung up. */
    private static void sayOneself(Socket towards) throws IOException {
        ByteBuf words = Unpooled.directBuffer();
        words.ensureWritable(2 * FrameHeader.LENGTH);
        FrameEncoder.writeHead(frame(0, 0), null, words);
        FrameEncoder.writeHead(frame(0, 0), null, words);
        words.readBytes(towards.getOutputStream(), words.readableBytes());
        words.release();
        towards.getInputStream().readAllBytes();
    }

    private static Thread passOnAll(Socket from, Socket to) {
        return Thread.ofVirtual().start(() -> {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
                to.shutdownOutput();
            } catch (IOException e) { // one of them has gone
                Thread.currentThread().interrupt();
            }
        });
    }

    private static Frame frame(long id, int payload) {
        return new Frame(
                id == 0 ? Frame.Kind.HELLO : Frame.Kind.REQUEST,
                id,
                ByteString.EMPTY,
                new Payload.Bytes(Unpooled.wrappedBuffer(new byte[payload])));
    }
}
