package org.beefs.common.rpc.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.beefs.common.config.Addresses;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RecordingListener;
import org.beefs.common.time.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TcpNetworkTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TcpNetwork network = new TcpNetwork(1);
    private final RecordingListener near = new RecordingListener();
    private final RecordingListener far = new RecordingListener();
    private final CompletableFuture<Link> accepted = new CompletableFuture<>();
    private Network.@Nullable Server server;

    @BeforeEach
    void listen() throws IOException {
        server = network.listen(ANY_PORT, link -> {
            accepted.complete(link);
            return far;
        });
    }

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void shouldCarryFramesBothWays() throws Exception {
        Link link = connect();

        link.send(frame(7, "question", new byte[] {1, 2}));
        Frame question = next(far);
        accepted.join().send(frame(7, "answer", new byte[] {3}));
        Frame answer = next(near);

        assertThat(question.message()).isEqualTo(ByteString.copyFromUtf8("question"));
        assertThat(content(question)).containsExactly(1, 2);
        assertThat(link.silence()).isLessThan(PATIENCE);
        assertThat(answer.message()).isEqualTo(ByteString.copyFromUtf8("answer"));
        assertThat(content(answer)).containsExactly(3);
    }

    @Test
    void shouldTryAllAddressesOfAName() throws Exception {
        InetAddress deserted = InetAddress.ofLiteral("127.0.0.2");
        try (TcpNetwork other = resolving(deserted, InetAddress.getLoopbackAddress())) {
            Link link = other.connect(byName(), PATIENCE, _ -> near).get(30, TimeUnit.SECONDS);

            assertThat(link.peer()).isEqualTo(Addresses.format(address()));
            assertThat(link.localAddress()).isEqualTo(InetAddress.getLoopbackAddress());
        }
    }

    @Test
    void shouldSayWhyNoneOfTheAddressesOfANameAnswers() {
        InetAddress deserted = InetAddress.ofLiteral("127.0.0.2");
        try (TcpNetwork other = resolving(deserted, deserted)) {
            assertThat(other.connect(byName(), PATIENCE, _ -> near))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(ConnectException.class)
                    .withMessage("Connection refused");
        }
    }

    @Test
    void shouldSayWhatTheSystemSaidBelowNettysOwnMessages() {
        IOException said = new IOException("newSocketStream(..) failed with error(-24): Too many open files");
        ChannelException failure = new ChannelException(
                "Unable to create Channel from class class X",
                new InvocationTargetException(new ChannelException(said)));

        assertThat(TcpNetwork.reason(failure)).isEqualTo("Too many open files");
        assertThat(TcpNetwork.reason(new IOException("gone", new IOException())))
                .isEqualTo("gone");
    }

    private InetSocketAddress byName() {
        return InetSocketAddress.createUnresolved("bees.example.org", address().getPort());
    }

    private static TcpNetwork resolving(InetAddress... addresses) {
        return new TcpNetwork(1, null, PATIENCE, _ -> addresses);
    }

    @Test
    void shouldNotGoOnSendingAfterTheClose() throws Exception {
        awaitEndOfSending(Link::close);
    }

    @Test
    void shouldNotGoOnSendingWhatIsCutOff() throws Exception {
        awaitEndOfSending(Link::cut);
    }

    private void awaitEndOfSending(Consumer<Link> end) throws Exception {
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Link link = network.connect((InetSocketAddress) deaf.getLocalSocketAddress(), PATIENCE, _ -> near)
                    .get();
            try (Socket socket = deaf.accept()) {
                for (int i = 0; i < 16; i++) {
                    link.send(frame(i, "more than the sockets take", new byte[Frame.MAX_PAYLOAD]));
                }
                end.accept(link);

                Await.until(
                        "the kernel forgets the connection",
                        () -> !isKnownToTheKernel(socket.getPort(), deaf.getLocalPort()));
            }
        }
    }

    private static boolean isKnownToTheKernel(int localPort, int remotePort) throws IOException {
        String local = ":%04X".formatted(localPort);
        String remote = ":%04X".formatted(remotePort);
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.strip().split(" +", 4);
                if (fields[1].endsWith(local) && fields[2].endsWith(remote)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void shouldSayWhenAllThatHasComeWasHandedOver() throws Exception {
        Link link = network.connect(address(), PATIENCE, _ -> near).get(30, TimeUnit.SECONDS);

        link.send(frame(7, "question", new byte[] {1, 2}));

        assertThat(far.receivedBeforeOthers).succeedsWithin(PATIENCE).isEqualTo(1);
        next(far).payload().close();
    }

    @Test
    void shouldSendASliceOfAFileAndThenGiveItBack(@TempDir Path folder) throws Exception {
        byte[] content = new byte[3 << 20];
        new Random(1).nextBytes(content);
        Path file = Files.write(folder.resolve("file"), content);
        CompletableFuture<Boolean> returned = new CompletableFuture<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Payload slice = new Payload.FileSlice(
                    channel, 12_345, Frame.MAX_PAYLOAD, () -> returned.complete(channel.isOpen()));

            connect().send(new Frame(Frame.Kind.REPLY, 1, ByteString.EMPTY, slice));
            Frame received = next(far);

            assertThat(content(received)).isEqualTo(Arrays.copyOfRange(content, 12_345, 12_345 + Frame.MAX_PAYLOAD));
            assertThat(returned).succeedsWithin(PATIENCE).isEqualTo(true);
        }
    }

    @Test
    void shouldCloseTheLinkWhenAFileBecameShorterThanItsSlice(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("file"), new byte[10]);
        CompletableFuture<Void> returned = new CompletableFuture<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Payload slice = new Payload.FileSlice(channel, 5, 100, () -> returned.complete(null));

            connect().send(new Frame(Frame.Kind.REPLY, 1, ByteString.EMPTY, slice));

            assertThat(far.closed).succeedsWithin(PATIENCE);
            assertThat(near.closed).succeedsWithin(PATIENCE);
            assertThat(returned).succeedsWithin(PATIENCE);
            assertThat(far.frames).isEmpty();
        }
    }

    @Test
    void shouldKeepTheOrderOfFramesOfAllSizes() throws Exception {
        Link link = connect();
        Random random = new Random(2);
        for (int i = 0; i < 100; i++) {
            link.send(frame(i, "", new byte[random.nextInt(100_000)]));
        }
        for (int i = 0; i < 100; i++) {
            Frame received = next(far);
            received.payload().close();
            assertThat(received.id()).isEqualTo(i);
        }
    }

    /** The second one comes at every moment of the first one's way, which leads through the event loop. */
    @Test
    void shouldSendTheLastFrameThoughOneBeforeIsJustBeingSent() throws Exception {
        Link link = connect();
        for (int i = 0; i < 20_000; i++) {
            link.send(frame(1, "large", new byte[70_000]));
            for (int spin = i % 2000; spin > 0; spin--) {
                Thread.onSpinWait();
            }
            link.send(frame(2, "small", new byte[1]));
            next(far).payload().close();
            next(far).payload().close();
        }
    }

    @Test
    void shouldKeepTheOrderOfEachThreadThoughTheOtherSideReadsLate() throws Exception {
        int threads = 4;
        int each = 2000;
        Link link = connect();
        accepted.join().setReading(false);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                executor.execute(() -> sendAscending(link, number, each));
            }
        }
        accepted.join().setReading(true);

        int[] next = new int[threads];
        for (int i = 0; i < threads * each; i++) {
            Frame received = next(far);
            received.payload().close();
            int thread = Integer.parseInt(received.message().toStringUtf8());
            assertThat(received.id()).isEqualTo(next[thread]++);
        }
    }

    /** In some round it is the last frame of which the socket takes a part only. */
    @Test
    void shouldSendTheRestOfTheLastFrameThoughTheSocketWasFull() throws Exception {
        Link link = connect();
        for (int frames = 1; frames <= 200; frames++) {
            accepted.join().setReading(false);
            for (int i = 0; i < frames; i++) {
                link.send(frame(i, "", new byte[60_000]));
            }
            accepted.join().setReading(true);
            for (int i = 0; i < frames; i++) {
                Frame received = next(far);
                received.payload().close();
                assertThat(received.id()).isEqualTo(i);
            }
        }
    }

    /** Mostly small frames, as requests are, and a large one now and then. */
    private static void sendAscending(Link link, int thread, int count) {
        Random random = new Random(thread);
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(100) == 0 ? 100_000 : random.nextInt(1000);
            Frame frame = frame(i, Integer.toString(thread), new byte[length]);
            if (random.nextBoolean()) {
                link.send(frame);
            } else {
                link.sendUnhurried(frame);
            }
        }
    }

    @Test
    void shouldSendWhatIsNotHurriedBeforeWhatComesLater() throws Exception {
        Link link = connect();
        for (int i = 0; i < 100; i += 2) {
            link.sendUnhurried(frame(i, "", new byte[0]));
            link.send(frame(i + 1, "", new byte[0]));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(next(far).id()).isEqualTo(i);
        }
    }

    @Test
    void shouldSendWhatIsNotHurriedThoughNothingComesLater() throws Exception {
        Link link = connect();
        for (int i = 0; i < 3; i++) {
            link.sendUnhurried(frame(i, "", new byte[0]));

            assertThat(next(far).id()).isEqualTo(i);
        }
    }

    @Test
    void shouldReleaseWhatItSent() throws Exception {
        ByteBuf payload = Unpooled.directBuffer().writeBytes(new byte[1000]);
        Link link = connect();

        link.send(new Frame(Frame.Kind.REQUEST, 1, ByteString.EMPTY, new Payload.Bytes(payload)));
        link.close();

        assertThat(far.closed).succeedsWithin(PATIENCE);
        assertThat(payload.refCnt()).isZero();
    }

    @Test
    void shouldReleaseAtOnceWhatIsSentOnAClosedLink() throws Exception {
        Link link = connect();
        link.close();
        assertThat(near.closed).succeedsWithin(PATIENCE).isEqualTo("this side closed the connection");
        CompletableFuture<Void> closed = new CompletableFuture<>();
        try (FileChannel channel = FileChannel.open(Path.of("/dev/null"), StandardOpenOption.READ)) {
            link.send(new Frame(
                    Frame.Kind.REQUEST,
                    1,
                    ByteString.EMPTY,
                    new Payload.FileSlice(channel, 0, 1, () -> closed.complete(null))));
        }

        assertThat(closed).succeedsWithin(PATIENCE);
    }

    @Test
    void shouldDeliverWhatWasSentBeforeTheClose() throws Exception {
        Link link = connect();
        accepted.join().send(frame(1, "unread by the other side", new byte[100_000]));

        link.send(frame(2, "the last word", new byte[500_000]));
        link.close();

        assertThat(next(far).id()).isEqualTo(2);
        assertThat(far.closed).succeedsWithin(PATIENCE).isEqualTo("the other side closed the connection");
    }

    @Test
    void shouldHoldBackTheSenderWhileNotReading() throws Exception {
        Link link = connect();
        Link receiver = accepted.join();
        receiver.setReading(false);
        // Anything that was under way before the switch took effect is of this first frame.
        link.send(frame(0, "", new byte[0]));
        for (int i = 1; !link.isCongested(); i++) {
            link.send(frame(i, "", new byte[Frame.MAX_PAYLOAD]));
        }

        assertThat(link.isCongested()).isTrue();
        receiver.setReading(true);
        for (int i = 0; i <= 32; i++) {
            Frame received = next(far);
            assertThat(received.id()).isEqualTo(i);
            received.payload().close();
        }
    }

    @Test
    void shouldCloseALinkWhoseReceiverNeverReads() throws Exception {
        Link link = connect();
        accepted.join().setReading(false);

        for (int i = 0; !near.closed.isDone(); i++) {
            link.send(frame(i, "", new byte[Frame.MAX_PAYLOAD]));
        }

        assertThat(near.closed.join()).isEqualTo("the other side reads too slowly: more than 64 MiB wait to be sent");
    }

    @Test
    void shouldCloseALinkThatSendsSomethingElse() throws Exception {
        InetSocketAddress address = address();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: beefs\r\n\r\n".getBytes(UTF_8));

            assertThat(far.closed).succeedsWithin(PATIENCE).isEqualTo("what it sends is not the BeeFS protocol");
        }
    }

    @Test
    void shouldEndALinkOfSomebodyWhoDoesNotGreet() throws Exception {
        try (TcpNetwork impatient = new TcpNetwork(1, null, Duration.ofMillis(50), InetAddress::getAllByName);
                Network.Server listening = impatient.listen(ANY_PORT, _ -> far);
                Socket silent = new Socket(
                        listening.address().getAddress(), listening.address().getPort())) {
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(far.closed).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void shouldSayThatNobodyListens() {
        InetSocketAddress address = address();
        server().close();

        assertThat(network.connect(address, PATIENCE, _ -> near))
                .failsWithin(PATIENCE)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCauseInstanceOf(ConnectException.class);
    }

    @Test
    void shouldListenAtAllAddresses() throws Exception {
        try (Network.Server everywhere = network.listen(Addresses.parse("0.0.0.0:0"), _ -> far)) {
            int port = everywhere.address().getPort();

            assertThat(Addresses.format(everywhere.address())).isEqualTo("0.0.0.0:" + port);
            assertThat(network.connect(Addresses.parse("127.0.0.1:" + port), PATIENCE, _ -> near))
                    .succeedsWithin(PATIENCE);
        }
    }

    @Test
    void shouldSayThatAPortIsTaken() {
        InetSocketAddress address = address();

        assertThatThrownBy(() -> network.listen(address, _ -> far))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot listen at 127.0.0.1:" + address.getPort())
                .hasMessageContaining("Address already in use");
    }

    @Test
    void shouldConnectToANameThatIsLookedUpEachTime() {
        InetSocketAddress byName =
                InetSocketAddress.createUnresolved("localhost", address().getPort());

        assertThat(network.connect(byName, PATIENCE, _ -> near)).succeedsWithin(PATIENCE);
    }

    @Test
    void shouldCloseTheLinksOfAClosedServer() throws Exception {
        connect();

        server().close();

        assertThat(near.closed).succeedsWithin(PATIENCE);
        assertThat(far.closed).succeedsWithin(PATIENCE);
    }

    private Network.Server server() {
        if (server == null) {
            throw new AssertionError("not listening");
        }
        return server;
    }

    private InetSocketAddress address() {
        return server().address();
    }

    /** A link whose sides have greeted one another. */
    private Link connect() throws Exception {
        Link link = network.connect(address(), PATIENCE, _ -> near).get(30, TimeUnit.SECONDS);
        Frame greeting = new Frame(Frame.Kind.HELLO, 0, ByteString.EMPTY, Payload.NONE);
        link.send(greeting);
        accepted.get(30, TimeUnit.SECONDS).send(greeting);
        next(near);
        next(far);
        return link;
    }

    private static Frame next(RecordingListener listener) throws InterruptedException {
        Frame frame = listener.frames.poll(30, TimeUnit.SECONDS);
        if (frame == null) {
            throw new AssertionError("no frame came");
        }
        return frame;
    }

    private static Frame frame(long id, String message, byte[] payload) {
        return new Frame(
                Frame.Kind.REQUEST,
                id,
                ByteString.copyFromUtf8(message),
                new Payload.Bytes(Unpooled.wrappedBuffer(payload)));
    }

    private static byte[] content(Frame frame) {
        byte[] content = ByteBufUtil.getBytes(((Payload.Bytes) frame.payload()).buffer());
        frame.payload().close();
        return content;
    }
}
