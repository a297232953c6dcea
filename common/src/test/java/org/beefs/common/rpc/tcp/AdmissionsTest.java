package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.beefs.common.log.LogLines;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RecordingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AdmissionsTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final InetAddress CROWDED = InetAddress.ofLiteral("127.0.0.2");
    private static final int MOST = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Admissions admissions = new Admissions(MOST, PATIENCE, _ -> {});

    @Test
    void shouldGiveWhoComesThePlaceOfTheEldestFromItsAddressWhenThatHasNoMore() {
        EmbeddedChannel other = enter(address(1));
        List<EmbeddedChannel> crowd = fill(CROWDED);

        EmbeddedChannel newcomer = enter(CROWDED);

        assertThat(crowd.getFirst().isOpen()).isFalse();
        assertThat(crowd.subList(1, crowd.size())).allMatch(Channel::isOpen);
        greet(newcomer);
        greet(other);
        assertThat(newcomer.isOpen()).isTrue();
        assertThat(other.isOpen()).isTrue();
    }

    @Test
    void shouldCloseNobodyForWhoComesWhenOneFromItsAddressHasGone() {
        List<EmbeddedChannel> crowd = fill(CROWDED);
        crowd.getLast().close();

        enter(CROWDED);

        assertThat(crowd.subList(0, crowd.size() - 1)).allMatch(Channel::isOpen);
    }

    @Test
    void shouldNotCountAmongThemWhoHasGreeted() {
        List<EmbeddedChannel> inside = fill(CROWDED);
        inside.forEach(AdmissionsTest::greet);

        enter(CROWDED);

        assertThat(inside).allMatch(Channel::isOpen);
    }

    @Test
    void shouldGiveTheEldestsPlaceToWhoComesWhenAllAreTaken() {
        EmbeddedChannel alone = enter(address(0));
        List<EmbeddedChannel> eldest = fill(address(1));
        for (int i = 2; i < Admissions.MAX_UNGREETED / Admissions.MAX_UNGREETED_OF_ADDRESS; i++) {
            fill(address(i));
        }
        for (int i = 1; i < Admissions.MAX_UNGREETED_OF_ADDRESS; i++) {
            enter(address(200 + i % 2));
        }
        assertThat(eldest).allMatch(Channel::isOpen);

        EmbeddedChannel newcomer = enter(CROWDED);

        assertThat(eldest.getFirst().isOpen()).isFalse();
        assertThat(eldest.subList(1, eldest.size())).allMatch(Channel::isOpen);
        greet(newcomer);
        greet(alone);
        assertThat(newcomer.isOpen()).isTrue();
        assertThat(alone.isOpen()).isTrue();
    }

    @Test
    void shouldBoundThoseWhoHaveGreeted() {
        List<EmbeddedChannel> inside = Stream.generate(() -> enter(CROWDED))
                .limit(MOST)
                .peek(AdmissionsTest::greet)
                .toList();
        assertThat(inside).allMatch(Channel::isOpen);
        EmbeddedChannel beyond = enter(CROWDED);
        greet(beyond);
        assertThat(beyond.isOpen()).isFalse();

        inside.getFirst().close();

        EmbeddedChannel next = enter(CROWDED);
        greet(next);
        assertThat(next.isOpen()).isTrue();
    }

    @Test
    void shouldEndWhoDoesNotGreetInTime() {
        EmbeddedChannel silent = enter(CROWDED);

        silent.advanceTimeBy(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        silent.runScheduledPendingTasks();

        assertThat(silent.isOpen()).isFalse();
    }

    @Test
    void shouldKeepNothingOfWhoHasGone() {
        EmbeddedChannel gone = enter(CROWDED);
        EmbeddedChannel admitted = enter(CROWDED);

        gone.close();
        greet(admitted);

        assertThat(gone.runScheduledPendingTasks()).isEqualTo(-1);
        assertThat(admitted.runScheduledPendingTasks()).isEqualTo(-1);
    }

    private EmbeddedChannel enter(InetAddress from) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(admissions.accept(channel, from));
        return channel;
    }

    private static void greet(EmbeddedChannel channel) {
        channel.writeInbound(new Frame(Frame.Kind.HELLO, 0, ByteString.EMPTY, Payload.NONE));
    }

    @Test
    void shouldHaveAsManyPlacesForLinksThatHaveGreetedAsTheServerWants() throws Exception {
        BlockingQueue<RecordingListener> inside = new LinkedBlockingQueue<>();
        RecordingListener first = new RecordingListener();
        RecordingListener third = new RecordingListener();
        try (TcpNetwork network = new TcpNetwork(1);
                Network.Server server = network.listen(ANY_PORT, 2, _ -> addTo(inside))) {
            greet(network, server, first);
            assertThat(inside.take().frames.take()).isNotNull();
            greet(network, server, new RecordingListener());
            assertThat(inside.take().frames.take()).isNotNull();

            greet(network, server, third);

            assertThat(third.closed).succeedsWithin(PATIENCE);
            assertThat(first.closed).isNotDone();
        }
    }

    private static RecordingListener addTo(BlockingQueue<RecordingListener> listeners) {
        RecordingListener listener = new RecordingListener();
        listeners.add(listener);
        return listener;
    }

    private static void greet(Network network, Network.Server server, RecordingListener listener) throws Exception {
        network.connect(server.address(), PATIENCE, _ -> listener)
                .get(30, TimeUnit.SECONDS)
                .send(new Frame(Frame.Kind.HELLO, 0, ByteString.EMPTY, Payload.NONE));
    }

    @Test
    void shouldLetAHostsOtherProcessesInWhileOneOpensConnectionsAndKeepsSilent(@TempDir Path folder) throws Exception {
        HiveKey.create(folder.resolve(HiveKey.FILE));
        HiveKey key = HiveKey.read(folder.resolve(HiveKey.FILE));
        List<Socket> silent = new ArrayList<>();
        try (LogLines log = new LogLines(RefusalLog.class.getName());
                TcpNetwork server = new TcpNetwork(1, key);
                TcpNetwork client = new TcpNetwork(1, key);
                Network.Server listening = server.listen(ANY_PORT, _ -> new RecordingListener())) {
            for (int i = 0; i < Admissions.MAX_UNGREETED_OF_ADDRESS; i++) {
                silent.add(connect(listening));
                assertThat(silent.getLast().getInputStream().read()).isEqualTo(0xBE); // it may greet
            }

            assertThat(client.connect(listening.address(), PATIENCE, _ -> new RecordingListener())
                            .get(30, TimeUnit.SECONDS))
                    .isNotNull();
            assertThat(log.warnings())
                    .containsExactly("closing a connection that has not greeted: too many have not, "
                            + "the eldest one from 127.0.0.1");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static Socket connect(Network.Server listening) throws IOException {
        return new Socket(listening.address().getAddress(), listening.address().getPort());
    }

    private List<EmbeddedChannel> fill(InetAddress from) {
        return Stream.generate(() -> enter(from))
                .limit(Admissions.MAX_UNGREETED_OF_ADDRESS)
                .toList();
    }

    private static InetAddress address(int host) {
        return InetAddress.ofLiteral("10.0.0." + host);
    }
}
