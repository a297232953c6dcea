package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
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
    void shouldHaveFewPlacesForWhoHasNotGreetedFromOneAddress() {
        fill(CROWDED);

        assertThat(admissions.enter(CROWDED)).isFalse();
        assertThat(admissions.enter(address(1))).isTrue();
        admissions.leaveUngreeted(CROWDED);
        assertThat(admissions.enter(CROWDED)).isTrue();
    }

    @Test
    void shouldNotCountAmongThemWhoHasGreeted() {
        fill(CROWDED);
        for (int i = 0; i < Admissions.MAX_UNGREETED_OF_ADDRESS; i++) {
            assertThat(admissions.admit(CROWDED)).isTrue();
        }

        assertThat(admissions.enter(CROWDED)).isTrue();
    }

    @Test
    void shouldBoundThoseOfAllAddressesToo() {
        for (int i = 0; i < Admissions.MAX_UNGREETED / Admissions.MAX_UNGREETED_OF_ADDRESS; i++) {
            fill(address(i));
        }

        assertThat(admissions.enter(CROWDED)).isFalse();
    }

    @Test
    void shouldBoundThoseWhoHaveGreeted() {
        for (int i = 0; i < MOST; i++) {
            assertThat(admissions.enter(CROWDED)).isTrue();
            assertThat(admissions.admit(CROWDED)).isTrue();
        }
        assertThat(admissions.enter(CROWDED)).isTrue();
        assertThat(admissions.admit(CROWDED)).isFalse();

        admissions.leaveGreeted();

        assertThat(admissions.admit(CROWDED)).isTrue();
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
    void shouldLetOthersInWhileOneHostOpensConnectionsAndKeepsSilent(@TempDir Path folder) throws Exception {
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
            for (int i = 0; i < 3; i++) {
                silent.add(connect(listening));
                assertThat(silent.getLast().getInputStream().read()).isEqualTo(-1);
            }

            assertThat(client.connect(listening.address(), PATIENCE, _ -> new RecordingListener())
                            .get(30, TimeUnit.SECONDS))
                    .isNotNull();
            assertThat(log.warnings())
                    .containsExactly("closing a connection at once: too many have not greeted yet, "
                            + "the last one from 127.0.0.2");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static Socket connect(Network.Server listening) throws IOException {
        return new Socket(listening.address().getAddress(), listening.address().getPort(), CROWDED, 0);
    }

    private void fill(InetAddress from) {
        for (int i = 0; i < Admissions.MAX_UNGREETED_OF_ADDRESS; i++) {
            assertThat(admissions.enter(from)).isTrue();
        }
    }

    private static InetAddress address(int host) {
        return InetAddress.ofLiteral("10.0.0." + host);
    }
}
