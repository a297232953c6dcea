package org.beefs.honeybee.fake;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Hello;
import org.jspecify.annotations.Nullable;

/** A server that can be stopped, can lose answers, and keeps all requests for a test to look at. */
public abstract class FakeServer<Q extends MessageLite> {
    /** What a request is answered with. */
    public record Answer(MessageLite message, Payload payload) {}

    /** Requests received, also those that were not answered. */
    public final List<Q> requests = new ArrayList<>();

    /** Answers of sequenced requests, by "session/sequence". */
    protected final Map<String, Answer> answers = new HashMap<>();

    private final MemoryNetwork network;
    private final Timers timers;
    private final String role;
    private final List<RpcConnection> connections = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private Network.@Nullable Server server;
    private int lost;
    private boolean mute;
    private long process = 1;

    protected FakeServer(MemoryNetwork network, Timers timers, String role) {
        this.network = network;
        this.timers = timers;
        this.role = role;
    }

    protected abstract Parser<Q> parser();

    /** Whether a request is taken and never answered. */
    protected boolean isIgnored(Q request) {
        return false;
    }

    /** Whether a request is taken and looked at later, when {@link #letGo} is called. */
    protected boolean isHeld(Q request) {
        return false;
    }

    /** Carries a request out. */
    protected abstract Answer serve(Q request, ByteString content);

    /** A key for answers to be kept under; null for requests without a number. */
    protected abstract @Nullable String key(Q request);

    public void start(int port) {
        try {
            server = network.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    link -> new RpcConnection(link, timers, hello(), connection -> {
                        connections.add(connection);
                        return new OneService();
                    }));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Where it listens, as host:port. */
    public String address() {
        return server == null ? "" : "127.0.0.1:" + server.address().getPort();
    }

    /** Goes away; what it kept in memory only is gone when it starts again. */
    public void stop() {
        if (server != null) {
            server.close();
            server = null;
        }
        connections.forEach(RpcConnection::close);
        connections.clear();
        process++;
    }

    /** Takes no more requests, and says so. */
    public void takeLeave() {
        connections.forEach(connection -> connection.takeLeave("it stops", () -> {}));
    }

    /** Breaks all connections and takes new ones. */
    public void breakConnections() {
        List.copyOf(connections).forEach(RpcConnection::close);
        connections.clear();
    }

    /** Carries the next requests out, but loses the answers with the connection. */
    public void loseAnswers(int number) {
        lost = number;
    }

    /** Takes requests and answers none. */
    public void setMute(boolean mute) {
        this.mute = mute;
    }

    /** Asks the other side of the newest connection. */
    public RpcConnection newestConnection() {
        return connections.getLast();
    }

    /** How it greets. */
    protected Hello hello() {
        return Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram("test")
                .setRole(role)
                .setProcess(process)
                .build();
    }

    private void received(Message<Q> request, Service.Responder responder) {
        ByteString content = contentOf(request.payload());
        requests.add(request.body());
        if (isHeld(request.body())) {
            held.add(() -> answer(request.body(), content, responder));
        } else if (!mute && !isIgnored(request.body())) {
            answer(request.body(), content, responder);
        }
    }

    /** Looks at what was held. */
    public void letGo() {
        List<Runnable> all = List.copyOf(held);
        held.clear();
        all.forEach(Runnable::run);
    }

    private void answer(Q request, ByteString content, Service.Responder responder) {
        String key = key(request);
        Answer answer = key == null ? null : answers.get(key);
        if (answer == null) {
            answer = serve(request, content);
            if (key != null) {
                answers.put(key, answer);
            }
        }
        if (key != null && lost > 0) {
            lost--;
            breakConnections();
        } else {
            responder.answer(answer.message(), answer.payload());
        }
    }

    private static ByteString contentOf(Payload payload) {
        byte[] content = new byte[payload.length()];
        if (payload instanceof Payload.Bytes(var buffer) && content.length > 0) {
            buffer.readBytes(content);
        }
        payload.close();
        return ByteString.copyFrom(content);
    }

    private final class OneService implements Service<Q> {
        @Override
        public Parser<Q> requests() {
            return parser();
        }

        @Override
        public void handle(Message<Q> request, Responder responder) {
            received(request, responder);
        }
    }
}
