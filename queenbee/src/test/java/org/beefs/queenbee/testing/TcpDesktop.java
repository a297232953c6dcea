package org.beefs.queenbee.testing;

import com.google.protobuf.Parser;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;

/** A desktop that is connected with a real queen-bee and registered there, and says yes to whatever she asks. */
public final class TcpDesktop {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final List<Frame> received = Collections.synchronizedList(new ArrayList<>());
    private final RpcConnection connection;
    private final long session;

    public TcpDesktop(TcpNetwork network, Timers timers, InetSocketAddress queenBee, String name) {
        this(network, timers, queenBee, Register.newBuilder().setDesktop(name).setProcess(1));
    }

    public TcpDesktop(TcpNetwork network, Timers timers, InetSocketAddress queenBee, Register.Builder register) {
        Hello hello = Hello.newBuilder().setProtocol(RpcConnection.PROTOCOL).build();
        CompletableFuture<RpcConnection> connected = new CompletableFuture<>();
        network.connect(queenBee, DEADLINE, link -> {
            RpcConnection made = new RpcConnection(link, timers, hello, self -> new Willing());
            connected.complete(made);
            return new Recording(made, received);
        });
        connection = connected.join();
        connection.greeted().join();
        session = send(QueenRequest.newBuilder().setRegister(register))
                .join()
                .getRegistered()
                .getSession();
    }

    /** Sends a request of this desktop's session. */
    public CompletableFuture<QueenReply> ask(QueenRequest.Builder request) {
        return send(request.setSession(session));
    }

    /** What has come from the queen-bee, in order; may be cleared. */
    public List<Frame> received() {
        return received;
    }

    private CompletableFuture<QueenReply> send(QueenRequest.Builder request) {
        return connection
                .<QueenReply>call(request.build(), QueenReply.parser(), DEADLINE)
                .thenApply(Message::body);
    }

    private record Recording(RpcConnection connection, List<Frame> received) implements Link.Listener {
        @Override
        public void received(Frame frame) {
            received.add(frame);
            connection.received(frame);
        }

        @Override
        public void closed(String reason) {
            connection.closed(reason);
        }
    }

    private static final class Willing implements Service<DesktopRequest> {
        @Override
        public Parser<DesktopRequest> requests() {
            return DesktopRequest.parser();
        }

        @Override
        public void handle(Message<DesktopRequest> request, Responder responder) {
            responder.answer(DesktopReply.getDefaultInstance());
        }
    }
}
