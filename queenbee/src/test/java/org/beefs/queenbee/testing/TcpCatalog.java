package org.beefs.queenbee.testing;

import com.google.protobuf.Parser;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
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
    private final CompletableFuture<Void> wasAsked = new CompletableFuture<>();
    private volatile boolean usable = true;

    public TcpCatalog(TcpNetwork network, Timers timers, ListedRecords records) throws IOException {
        server = network.listen(
                Addresses.parse("127.0.0.1:0"),
                link -> new RpcConnection(link, timers, hello(), _ -> new Catalog(records, wasAsked)));
    }

    private Hello hello() {
        return usable ? Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build() : Hello.getDefaultInstance();
    }

    /** Whether it is of this version, which others look at when they connect: otherwise they do not ask it. */
    public void setUsable(boolean its) {
        usable = its;
    }

    /** Complete when somebody has asked it for records, and has gone. */
    public CompletableFuture<Void> whenItWasAsked() {
        return wasAsked;
    }

    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
    }

    private static final class Catalog implements Service<DataRequest> {
        private final ListedRecords records;
        private final CompletableFuture<Void> wasAsked;
        private volatile boolean asked;

        Catalog(ListedRecords records, CompletableFuture<Void> wasAsked) {
            this.records = records;
            this.wasAsked = wasAsked;
        }

        @Override
        public Parser<DataRequest> requests() {
            return DataRequest.parser();
        }

        @Override
        public void handle(Message<DataRequest> request, Responder responder) {
            asked = true;
            records.page(request.body().getGetRecords().getFrom())
                    .thenAccept(page -> responder.answer(
                            DataReply.newBuilder().setRecords(page).build()));
        }

        @Override
        public void closed() {
            if (asked) {
                wasAsked.complete(null);
            }
        }
    }
}
