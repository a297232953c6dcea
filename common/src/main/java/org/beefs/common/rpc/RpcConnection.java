package org.beefs.common.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests and replies over one {@link Link}, in both directions, pipelined, in any order. Thread-safe.
 *
 * <p>The first frame each way is a {@link Hello}; a peer that speaks another protocol gets a {@link Refusal} and the link is
 * closed. Calls fail with {@link PosixException}: ETIMEDOUT after their deadline, ENOTCONN when the connection breaks (the
 * request may or may not have been carried out), EAGAIN when too many calls are in flight.
 */
public final class RpcConnection implements Link.Listener {
    /** Version of the protocol in {@code common/src/main/proto}; any change that an older program misreads raises it. */
    public static final int PROTOCOL = 1;

    /** Calls of ours that may wait for replies at a time. */
    public static final int MAX_CALLS = 8192;

    /** Requests of the other side that may wait for our answers before we stop reading; half of it resumes reading. */
    public static final int MAX_SERVED = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(RpcConnection.class);

    private record Call(CompletableFuture<Message<MessageLite>> reply, Parser<?> parser, Timers.Timer deadline) {}

    private final Link link;
    private final Timers timers;
    private final Service<?> service;
    private final CompletableFuture<Hello> greeted = new CompletableFuture<>();
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, Call> calls = new ConcurrentHashMap<>();
    private final AtomicInteger serving = new AtomicInteger();
    private final List<Runnable> closeTasks = new ArrayList<>();
    private volatile boolean closed;
    private volatile String closeReason = "the connection was closed";

    /** Makes the connection of an open link and greets the other side. */
    public RpcConnection(Link link, Timers timers, Hello ours, Function<RpcConnection, Service<?>> service) {
        this.link = link;
        this.timers = timers;
        this.service = service.apply(this);
        link.send(new Frame(Frame.Kind.HELLO, 0, ours.toByteString(), Payload.NONE));
    }

    /** Done with the other side's greeting; fails with EPROTO and the other's reason when it refuses us. */
    public CompletableFuture<Hello> greeted() {
        return greeted;
    }

    /**
     * Sends a request, taking its payload over.
     *
     * @return the reply; its payload belongs to whoever takes it
     */
    @SuppressWarnings("unchecked") // a call's parser makes only its own type of reply
    public <A extends MessageLite> CompletableFuture<Message<A>> call(
            MessageLite request, Payload payload, Parser<A> replies, Duration deadline) {
        CompletableFuture<Message<MessageLite>> reply = new CompletableFuture<>();
        long id = lastId.incrementAndGet();
        if (closed || calls.size() >= MAX_CALLS) {
            payload.close();
            reply.completeExceptionally(closed ? broken() : tooManyCalls());
        } else {
            Timers.Timer timer = timers.schedule(deadline, () -> expire(id, deadline));
            calls.put(id, new Call(reply, replies, timer));
            link.send(new Frame(Frame.Kind.REQUEST, id, request.toByteString(), payload));
            if (closed) {
                fail(id, broken());
            }
        }
        return (CompletableFuture<Message<A>>) (CompletableFuture<?>) reply;
    }

    public void close() {
        link.close();
    }

    public boolean isOpen() {
        return !closed;
    }

    /** Why it closed, for messages to people. */
    public String closeReason() {
        return closeReason;
    }

    /** The other end, for messages to people. */
    public String peer() {
        return link.peer();
    }

    /** Runs a task once the connection is closed; at once if it already is. */
    public void onClose(Runnable task) {
        synchronized (closeTasks) {
            if (!closed) {
                closeTasks.add(task);
                return;
            }
        }
        task.run();
    }

    @Override
    public void received(Frame frame) {
        try {
            switch (frame.kind()) {
                case HELLO -> greet(Hello.parseFrom(frame.message()));
                case REQUEST -> serve(frame, service);
                case REPLY -> complete(frame);
                case REFUSAL -> refused(Refusal.parseFrom(frame.message()));
            }
        } catch (InvalidProtocolBufferException e) {
            LOG.warn(
                    "closing the connection with {}: it sent a message that cannot be read: {}",
                    peer(),
                    e.getMessage());
            frame.payload().close();
            link.close();
        }
    }

    @Override
    public void closed(String reason) {
        List<Runnable> tasks;
        synchronized (closeTasks) {
            if (greeted.isCompletedExceptionally()) {
                LOG.debug("{} refused us: {}", peer(), closeReason);
            } else {
                closeReason = reason;
            }
            closed = true;
            tasks = List.copyOf(closeTasks);
        }
        greeted.completeExceptionally(broken());
        for (Long id : List.copyOf(calls.keySet())) {
            fail(id, broken());
        }
        service.closed();
        tasks.forEach(Runnable::run);
    }

    private void greet(Hello theirs) {
        if (theirs.getProtocol() == PROTOCOL) {
            greeted.complete(theirs);
            return;
        }
        String reason =
                "this is BeeFS protocol %d, and %s %s speaks protocol %d: install the same version on both machines"
                        .formatted(PROTOCOL, theirs.getRole(), theirs.getProgram(), theirs.getProtocol());
        Refusal refusal = Refusal.newBuilder().setReason(reason).build();
        link.send(new Frame(Frame.Kind.REFUSAL, 0, refusal.toByteString(), Payload.NONE));
        link.close();
    }

    private void refused(Refusal refusal) {
        closeReason = refusal.getReason();
        greeted.completeExceptionally(new PosixException(Errno.EPROTO, refusal.getReason()));
        link.close();
    }

    private <Q extends MessageLite> void serve(Frame frame, Service<Q> to) throws InvalidProtocolBufferException {
        if (!greeted.isDone()) {
            throw new InvalidProtocolBufferException("a request before the greeting");
        }
        Q request = to.requests().parseFrom(frame.message());
        if (serving.incrementAndGet() == MAX_SERVED) {
            link.setReading(false);
        }
        to.handle(new Message<>(request, frame.payload()), new OneAnswer(frame.id()));
    }

    private void complete(Frame frame) throws InvalidProtocolBufferException {
        Call call = calls.remove(frame.id());
        if (call == null) {
            frame.payload().close();
            return;
        }
        call.deadline().cancel();
        MessageLite body;
        try {
            body = (MessageLite) call.parser().parseFrom(frame.message());
        } catch (InvalidProtocolBufferException e) {
            call.reply().completeExceptionally(new PosixException(Errno.EPROTO, peer() + " sent an unreadable reply"));
            throw e;
        }
        if (!call.reply().complete(new Message<>(body, frame.payload()))) {
            frame.payload().close();
        }
    }

    private void expire(long id, Duration deadline) {
        fail(
                id,
                new PosixException(
                        Errno.ETIMEDOUT, "%s did not answer within %d ms".formatted(peer(), deadline.toMillis())));
    }

    private void fail(long id, PosixException cause) {
        Call call = calls.remove(id);
        if (call != null) {
            call.deadline().cancel();
            call.reply().completeExceptionally(cause);
        }
    }

    private PosixException broken() {
        return new PosixException(Errno.ENOTCONN, "no connection with %s: %s".formatted(peer(), closeReason));
    }

    private PosixException tooManyCalls() {
        return new PosixException(Errno.EAGAIN, "%d calls are waiting for %s".formatted(MAX_CALLS, peer()));
    }

    private final class OneAnswer implements Service.Responder {
        private final long id;
        private boolean answered;

        OneAnswer(long id) {
            this.id = id;
        }

        @Override
        public void answer(MessageLite reply, Payload payload) {
            synchronized (this) {
                if (answered) {
                    payload.close();
                    return;
                }
                answered = true;
            }
            link.send(new Frame(Frame.Kind.REPLY, id, reply.toByteString(), payload));
            if (serving.decrementAndGet() == MAX_SERVED / 2) {
                link.setReading(true);
            }
        }
    }
}
