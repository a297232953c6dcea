package org.beefs.integration.hive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.beefs.common.config.Addresses;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.wire.Hello;

/** What a desktop meets when its queen-bee was replaced by one of another version: a greeting, and then silence. */
public final class NewerQueenBee implements AutoCloseable {
    private final TcpNetwork network = new TcpNetwork(1);
    private final Network.Server server;

    public NewerQueenBee() {
        try {
            server = network.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), NewerQueenBee::greet);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String address() {
        return Addresses.format(server.address());
    }

    public int protocol() {
        return RpcConnection.PROTOCOL + 1;
    }

    @Override
    public void close() {
        server.close();
        network.close();
    }

    private static Link.Listener greet(Link link) {
        Hello hello = Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL + 1)
                .setProgram("9.9")
                .setRole("queenbee")
                .build();
        link.send(new Frame(Frame.Kind.HELLO, 0, hello.toByteString(), Payload.NONE));
        return new Link.Listener() {
            @Override
            public void received(Frame frame) {
                frame.payload().close();
            }

            @Override
            public void closed(String reason) {}
        };
    }
}
