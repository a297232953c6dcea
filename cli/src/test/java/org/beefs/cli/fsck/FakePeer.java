package org.beefs.cli.fsck;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Function;
import org.beefs.cli.daemon.World;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.Hello;

/** A queen-bee or a honeycomb that answers as a test says, or goes away instead. */
final class FakePeer<Q extends MessageLite> implements AutoCloseable {
    private final Network.Server server;

    /**
     * Begins to listen.
     *
     * @param desktop whose honeycomb it is; its name is also the honeycomb's UUID. Empty for a queen-bee
     * @param answers empty to break the connection
     */
    FakePeer(World world, String desktop, Parser<Q> requests, Function<Q, Optional<MessageLite>> answers)
            throws IOException {
        Hello hello = Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setName(desktop)
                .setHoneycomb(ByteString.copyFromUtf8(desktop))
                .build();
        server = world.network()
                .listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        link -> new RpcConnection(
                                link,
                                world.timers(),
                                hello,
                                connection -> new Answering<>(requests, answers, connection)));
    }

    String address() {
        return "127.0.0.1:" + server.address().getPort();
    }

    @Override
    public void close() {
        server.close();
    }

    private record Answering<Q extends MessageLite>(
            Parser<Q> requests, Function<Q, Optional<MessageLite>> answers, RpcConnection connection)
            implements Service<Q> {
        @Override
        public void handle(Message<Q> request, Responder responder) {
            request.payload().close();
            answers.apply(request.body()).ifPresentOrElse(responder::answer, connection::close);
        }
    }
}
