package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RecordingListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TcpServerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TcpNetwork network = new TcpNetwork(1);
    private final RecordingListener near = new RecordingListener();
    private final RecordingListener far = new RecordingListener();

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void shouldKeepWhomItHasAcceptedWhenItAcceptsNobodyAnyMore() throws Exception {
        Network.Server server = network.listen(ANY_PORT, _ -> far);
        Link link = network.connect(server.address(), PATIENCE, _ -> near).get(30, TimeUnit.SECONDS);
        link.send(frame("before"));
        far.frames.poll(30, TimeUnit.SECONDS);

        server.refuse();

        assertThat(network.connect(server.address(), PATIENCE, _ -> near))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(ConnectException.class);
        link.send(frame("after"));
        assertThat(far.frames.poll(30, TimeUnit.SECONDS))
                .extracting(Frame::message)
                .isEqualTo(ByteString.copyFromUtf8("after"));
        server.close();
        assertThat(near.closed).succeedsWithin(PATIENCE);
    }

    private static Frame frame(String message) {
        return new Frame(Frame.Kind.REQUEST, 1, ByteString.copyFromUtf8(message), Payload.NONE);
    }
}
