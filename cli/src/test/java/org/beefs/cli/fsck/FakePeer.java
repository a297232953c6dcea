package org.beefs.cli.fsck;

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
    private static final Hello HELLO =
            Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();

    private final Network.Server server;

    /** @param answers empty to break the connection */
    FakePeer(World world, Parser<Q> requests, Function<Q, Optional<MessageLite>> answers) throws IOException {
        server = world.network()
                .listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        link -> new RpcConnection(
                                link,
                                world.timers(),
                                HELLO,
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
