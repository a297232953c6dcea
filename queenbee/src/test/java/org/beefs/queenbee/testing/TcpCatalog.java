package org.beefs.queenbee.testing;

import com.google.protobuf.Parser;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.beefs.common.config.Addresses;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Hello;

/** A honeycomb that listens, and tells the records of its catalog. */
public final class TcpCatalog implements AutoCloseable {
    private final Network.Server server;

    public TcpCatalog(TcpNetwork network, Timers timers, ListedRecords records) throws IOException {
        Hello hello = Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();
        server = network.listen(
                Addresses.parse("127.0.0.1:0"),
                link -> new RpcConnection(link, timers, hello, _ -> new Catalog(records)));
    }

    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
    }

    private record Catalog(ListedRecords records) implements Service<DataRequest> {
        @Override
        public Parser<DataRequest> requests() {
            return DataRequest.parser();
        }

        @Override
        public void handle(Message<DataRequest> request, Responder responder) {
            records.page(request.body().getGetRecords().getFrom())
                    .thenAccept(page -> responder.answer(
                            DataReply.newBuilder().setRecords(page).build()));
        }
    }
}
