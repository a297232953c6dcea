package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.beefs.common.config.Addresses;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteCatalogsTest {
    private static final ByteString HONEYCOMB = ByteString.copyFromUtf8("the honeycomb id");
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private final TcpNetwork network = new TcpNetwork(1);
    private final SystemTimers timers = new SystemTimers();
    private final ManualTime time = new ManualTime();
    private final RemoteCatalogs catalogs = new RemoteCatalogs(network, timers, time, HELLO);

    /** Bytes that the honeycomb was asked for, each time. */
    private final List<Integer> asked = new CopyOnWriteArrayList<>();

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

    @Test
    void shouldAskForLittleAtFirstAndForMoreOfWhatComesSoon() throws IOException {
        readPages(answering(Duration.ZERO), 8);

        assertThat(asked).startsWith(16 << 10, 32 << 10, 64 << 10).endsWith(1 << 20, 1 << 20);
    }

    @Test
    void shouldNotAskForMoreOfWhatTakesLong() throws IOException {
        readPages(answering(Duration.ofSeconds(10)), 3);

        assertThat(asked).containsExactly(16 << 10, 16 << 10, 16 << 10);
    }

    private void readPages(String address, int pages) throws IOException {
        RecordSource source = catalogs.connect(address, HONEYCOMB, 1);
        for (int i = 0; i < pages; i++) {
            assertThat(source.page(i).join().getRecordsList()).hasSize(1);
        }
    }

    /** A honeycomb that has as much as it is asked for, and tells it after this time. */
    private String answering(Duration later) throws IOException {
        return listen(HELLO, new Service<>() {
            @Override
            public Parser<DataRequest> requests() {
                return DataRequest.parser();
            }

            @Override
            public void handle(Message<DataRequest> request, Responder responder) {
                int bytes = request.body().getGetRecords().getBytes();
                asked.add(bytes);
                time.jump(later);
                Record.Builder record = Record.newBuilder().setContent(ByteString.copyFrom(new byte[bytes]));
                responder.answer(DataReply.newBuilder()
                        .setRecords(RecordPage.newBuilder().addRecords(record))
                        .build());
            }
        });
    }

    private String listen(Hello hello) throws IOException {
        return listen(hello, new NoService<>(DataRequest.parser()));
    }

    private String listen(Hello hello, Service<DataRequest> service) throws IOException {
        Network.Server server = network.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                link -> new RpcConnection(link, timers, hello, _ -> service));
        return Addresses.format(server.address());
    }
}
