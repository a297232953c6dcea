package org.beefs.cli.bench.queen;

import com.google.protobuf.InvalidProtocolBufferException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.beefs.cli.program.Version;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.Failure;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Refusal;
import org.beefs.common.wire.Register;

/**
 * A session with the queen-bee that pipelines, as lean as can be, so that most of the machine is hers: without
 * deadlines, and without sending anything again. It caches nothing, so it lets go at once of whatever is recalled.
 * Belongs to the network's one thread, but for {@link #ask}.
 */
final class QueenSession implements Link.Listener {
    /**
     * For an answer that nobody should have to wait for: longer than the queen-bee waits for desktops after her start.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Link link;
    private final Executor thread;
    private final Map<Long, Consumer<QueenReply>> waiting = new HashMap<>();
    private long lastId;

    /** The session's, once it has one. */
    private RequestWindow window = new RequestWindow(0);

    private long lastHandle;
    private String closed = "";

    private QueenSession(Link link, Executor thread) {
        this.link = link;
        this.thread = thread;
        link.send(new Frame(
                Frame.Kind.HELLO,
                0,
                Hello.newBuilder()
                        .setProtocol(RpcConnection.PROTOCOL)
                        .setProgram(Version.ofProcess())
                        .setRole("bench")
                        .build()
                        .toByteString(),
                Payload.NONE));
    }

    /**
     * Connects and registers.
     *
     * @param thread the network's one thread
     * @param desktop as which it registers
     * @param process as {@link Register}
     */
    static QueenSession open(Network network, Executor thread, InetSocketAddress address, String desktop, long process)
            throws InterruptedException {
        CompletableFuture<QueenSession> made = new CompletableFuture<>();
        CompletableFuture<Link> opened = network.connect(address, PATIENCE, link -> {
            QueenSession session = new QueenSession(link, thread);
            made.complete(session);
            return session;
        });
        opened.whenComplete((_, failure) -> {
            if (failure != null) {
                made.completeExceptionally(new PosixException(
                        Errno.ENOTCONN,
                        "no queen-bee at %s: %s".formatted(Addresses.format(address), failure.getMessage())));
            }
        });
        QueenSession session = Answers.await(made, PATIENCE);
        QueenReply reply = session.ask(QueenRequest.newBuilder()
                .setRegister(Register.newBuilder().setDesktop(desktop).setProcess(process)));
        thread.execute(
                () -> session.window = new RequestWindow(reply.getRegistered().getSession()));
        return session;
    }

    /** A handle that was never used in the session. */
    long newHandle() {
        return ++lastHandle;
    }

    /** Sends a request; the consumer gets its answer, a failure if there can be none, on the network's thread. */
    void send(QueenRequest.Builder request, boolean changes, Consumer<QueenReply> answered) {
        if (!closed.isEmpty()) {
            answered.accept(failure(closed));
            return;
        }
        long sequence = changes ? window.begin() : 0;
        request.setSession(window.session()).setSequence(sequence).setAcknowledged(window.acknowledged());
        long id = ++lastId;
        waiting.put(id, reply -> {
            window.end(sequence);
            answered.accept(reply);
        });
        link.send(new Frame(Frame.Kind.REQUEST, id, request.build().toByteString(), Payload.NONE));
    }

    /** Asks and waits, on any other thread. Fails with {@link PosixException}. */
    QueenReply ask(QueenRequest.Builder request) throws InterruptedException {
        CompletableFuture<QueenReply> answer = new CompletableFuture<>();
        thread.execute(() -> send(request, Answers.isChange(request), answer::complete));
        QueenReply reply = Answers.await(answer, PATIENCE);
        Answers.requireDone(reply);
        return reply;
    }

    /** Says goodbye, and closes the connection. On any other thread. */
    void end() throws InterruptedException {
        try {
            ask(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        } finally {
            link.close();
        }
    }

    @Override
    public void received(Frame frame) {
        frame.payload().close();
        try {
            switch (frame.kind()) {
                case REPLY -> answered(frame.id(), QueenReply.parseFrom(frame.message()));
                case FAILURE ->
                    answered(
                            frame.id(),
                            QueenReply.newBuilder()
                                    .setFailure(Failure.parseFrom(frame.message()))
                                    .build());
                case REQUEST -> letGo(frame.id());
                case REFUSAL -> closed(Refusal.parseFrom(frame.message()).getReason());
                case HELLO -> {}
            }
        } catch (InvalidProtocolBufferException e) {
            closed("the queen-bee sends what cannot be read");
            link.close();
        }
    }

    @Override
    public void closed(String reason) {
        closed = closed.isEmpty() ? "no connection with the queen-bee: " + reason : closed;
        Map<Long, Consumer<QueenReply>> lost = Map.copyOf(waiting);
        waiting.clear();
        lost.values().forEach(answered -> answered.accept(failure(closed)));
    }

    private void answered(long id, QueenReply reply) {
        Consumer<QueenReply> answered = waiting.remove(id);
        if (answered != null) {
            answered.accept(reply);
        }
    }

    /** Whatever she asks of a session without honeycomb is to let go of something. */
    private void letGo(long id) {
        link.send(new Frame(
                Frame.Kind.REPLY, id, DesktopReply.getDefaultInstance().toByteString(), Payload.NONE));
    }

    private static QueenReply failure(String reason) {
        return QueenReply.newBuilder()
                .setFailure(new PosixException(Errno.ENOTCONN, reason).toFailure())
                .build();
    }
}
