package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.beefs.common.config.Addresses;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteCatalogsTest {
    private static final ByteString HONEYCOMB = ByteString.copyFromUtf8("the honeycomb id");
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private final TcpNetwork network = new TcpNetwork(1);
    private final SystemTimers timers = new SystemTimers();
    private final RemoteCatalogs catalogs = new RemoteCatalogs(network, timers, new SystemClock(), HELLO);

    @AfterEach
    void close() {
        catalogs.close();
        timers.close();
    }

    @Test
    void shouldNotReadTheRecordsOfAnotherHoneycombAtTheAddress() throws IOException {
        String address = listen(HELLO.toBuilder()
                .setName("desk2")
                .setHoneycomb(ByteString.copyFromUtf8("another one's id"))
                .build());

        assertThatThrownBy(() -> catalogs.connect(address, HONEYCOMB, 1))
                .isInstanceOf(IOException.class)
                .hasMessage("another honeycomb (of desk2) answers at " + address);
    }

    @Test
    void shouldReadThoseOfOneThatDoesNotSayWhichItIs() throws IOException {
        String address = listen(HELLO);

        assertThat(catalogs.connect(address, HONEYCOMB, 1).name()).isEqualTo("the honeycomb at " + address);
    }

    @Test
    void shouldNotReachOneWhoseAddressIsNone() {
        assertThatThrownBy(() -> catalogs.connect("[desk2.example.org:7412]:7412", HONEYCOMB, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not an address");
    }

    private String listen(Hello hello) throws IOException {
        Network.Server server = network.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                link -> new RpcConnection(link, timers, hello, _ -> new NoService<>(DataRequest.parser())));
        return Addresses.format(server.address());
    }
}
