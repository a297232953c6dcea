package org.beefs.common.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Failure;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Refusal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests and replies over one {@link Link}, in both directions, pipelined, in any order. Thread-safe.
 *
 * <p>The first frame each way is a {@link Hello}; a peer that speaks another protocol gets a {@link Refusal} and the
 * link is closed. Calls fail with {@link PosixException}: ETIMEDOUT after their deadline, ENOTCONN when the connection
 * breaks (the request may or may not have been carried out), EPROTO when the peer refuses us or cannot be understood,
 * EAGAIN when too much is under way or the peer has taken its leave (the request was not carried out), E2BIG for what
 * no frame holds. Cancelling a call's future forgets the call; the peer may still carry it out.
 */
public final class RpcConnection implements Link.Listener {
    /**
     * Version of the protocol in {@code common/src/main/proto}; any change that an older program misreads raises it.
     */
    public static final int PROTOCOL = 4;

    /** Calls of ours that may wait for replies at a time. */
    public static final int MAX_CALLS = 8192;

    /** Requests of the other side that may wait for our answers before we stop reading; half of it resumes reading. */
    public static final int MAX_SERVED = 1024;

    /** Which call a FAILURE is about that is about all. */
    private static final long ALL = 0;

    private static final Logger LOG = LoggerFactory.getLogger(RpcConnection.class);

    private final Link link;
    private final Timers timers;
    private final int protocol;
    private final Service<?> service;
    private final Backpressure backpressure;
    private final PendingCalls calls = new PendingCalls(MAX_CALLS);
    private final CompletableFuture<Hello> greeted = new CompletableFuture<>();

    /** Set once, by the first who knows why the connection ends, and before {@link #closed}. */
    private final AtomicReference<@Nullable PosixException> end = new AtomicReference<>();

    private final List<Runnable> closeTasks = new ArrayList<>();
    private volatile boolean closed;

    /** Makes the connection of an open link and greets the other side. */
    public RpcConnection(Link link, Timers timers, Hello ours, Function<RpcConnection, Service<?>> service) {
        this.link = link;
        this.timers = timers;
        this.protocol = ours.getProtocol();
        this.backpressure = new Backpressure(link, MAX_SERVED);
        this.service = service.apply(this);
        link.send(new Frame(Frame.Kind.HELLO, 0, ours.toByteString(), Payload.NONE));
    }

    /**
     * Connects and exchanges greetings within the timeout. The future fails with {@link PosixException}: EPROTO when
     * the peer refuses us, else ENOTCONN or ETIMEDOUT.
     */
    public static CompletableFuture<RpcConnection> connect(
            Network network,
            Timers timers,
            InetSocketAddress address,
            Duration timeout,
            Hello ours,
            Function<RpcConnection, Service<?>> service) {
        return Connecting.start(
                network, timers, address, timeout, link -> new RpcConnection(link, timers, ours, service));
    }

    /** Done with the other side's greeting; fails with EPROTO and the reason when either side refuses the other. */
    public CompletableFuture<Hello> greeted() {
        return greeted.copy();
    }

    /**
     * As {@link #greeted}; fails with ENOTCONN when another honeycomb answers than the one that is wanted: the address
     * is not its own any more. A peer that sent no UUID (no honeycomb, or an old one) is accepted.
     *
     * @param honeycomb the wanted one's UUID
     */
    public CompletableFuture<Hello> greetedBy(ByteString honeycomb) {
        return greeted.thenApply(theirs -> {
            if (!theirs.getHoneycomb().isEmpty() && !theirs.getHoneycomb().equals(honeycomb)) {
                throw new PosixException(
                        Errno.ENOTCONN, "another honeycomb (of %s) answers at %s".formatted(theirs.getName(), peer()));
            }
            return theirs;
        });
    }

    /**
     * Sends a request without a payload. The future is completed on the thread that receives, which must not be
     * blocked. The request carries the id of the {@link CurrentRequest}, for which the receiving thread works too when
     * it completes the future.
     *
     * @return the reply; its payload belongs to whoever takes it
     */
    public <A extends MessageLite> CompletableFuture<Message<A>> call(
            MessageLite request, Parser<A> replies, Duration deadline) {
        return call(new Outgoing(request), replies, deadline, reply -> {});
    }

    /**
     * As above, taking the request's payload over, and for a reply whose place among all that comes on this connection
     * matters: what depends on the future may run on the thread that calls, and later than what comes next.
     *
     * @param deadline for the answer; but see {@link Outgoing#mayTakeLonger}
     * @param arrived runs on the thread that receives, before the future is completed and before anything that came
     *     later is looked at. What it throws fails the call
     */
    public <A extends MessageLite> CompletableFuture<Message<A>> call(
            Outgoing request, Parser<A> replies, Duration deadline, Consumer<? super A> arrived) {
        CompletableFuture<Message<A>> reply = new CompletableFuture<>();
        long id = link.isCongested() ? 0 : calls.add(reply, replies, arrived);
        Frame frame = new Frame(
                Frame.Kind.REQUEST, id, request.message().toByteString(), request.payload(), CurrentRequest.id());
        if (id == 0) {
            frame.payload().close();
            reply.completeExceptionally(
                    new PosixException(Errno.EAGAIN, "too many calls are waiting for %s".formatted(peer())));
        } else if (!frame.isWithinBounds()) {
            frame.payload().close();
            calls.fail(id, new PosixException(Errno.E2BIG, "a request is too large to be sent"));
        } else {
            expect(id, request, deadline, deadline);
            link.send(frame, request.hurried());
            if (closed) { // after the check in closed(), which may have missed this call
                calls.fail(id, ending());
            }
        }
        return reply;
    }

    /** Nothing that comes from now on is looked at. */
    public void close() {
        close("this side closed the connection");
    }

    /** As {@link #close()}, for a reason that people are to know. */
    public void close(String reason) {
        end(gone(reason));
    }

    /** As {@link #close}; and what was sent and has not arrived yet never does. */
    public void cut() {
        noteEnd(gone("this side cut the connection"));
        link.cut();
    }

    /** Tells the other side, in one sentence for people, why we do not talk with it, and closes. */
    public void refuse(String reason) {
        Refusal refusal = Refusal.newBuilder().setReason(reason).build();
        link.send(new Frame(Frame.Kind.REFUSAL, 0, refusal.toByteString(), Payload.NONE));
        end(new PosixException(Errno.EPROTO, reason));
    }

    /**
     * Takes no more requests, answers those that it has taken, and then says so. The other side knows then that what
     * has no answer was not carried out: its calls fail with EAGAIN, and it closes.
     *
     * @param reason in one sentence for people
     * @param left runs when all is answered and that was said
     */
    public void takeLeave(String reason, Runnable left) {
        ByteString why = new PosixException(Errno.EAGAIN, reason).toFailure().toByteString();
        backpressure.end(() -> {
            link.send(new Frame(Frame.Kind.FAILURE, ALL, why, Payload.NONE));
            left.run();
        });
    }

    public boolean isOpen() {
        return !closed;
    }

    /** Why it closed, for messages to people. */
    public String closeReason() {
        return ending().getMessage();
    }

    /** The other end, for messages to people. */
    public String peer() {
        return link.peer();
    }

    /** As {@link Link#localAddress}. */
    public @Nullable InetAddress localAddress() {
        return link.localAddress();
    }

    /** Runs a task once the connection is closed and its calls have failed; at once if it already is. */
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
        if (end.get() != null) { // we have already taken leave
            frame.payload().close();
            return;
        }
        try {
            take(frame);
        } catch (InvalidProtocolBufferException e) {
            LOG.warn("closing the connection with {}: it sent what cannot be read: {}", peer(), e.getMessage());
            frame.payload().close();
            end(new PosixException(Errno.EPROTO, "%s sent what cannot be read".formatted(peer())));
        }
    }

    @Override
    public void receivedAll() {
        service.handledAll();
    }

    /** Takes the payload over unless it throws. */
    private void take(Frame frame) throws InvalidProtocolBufferException {
        boolean mayCarry = frame.kind() == Frame.Kind.REQUEST || frame.kind() == Frame.Kind.REPLY;
        if (!mayCarry && frame.payload().length() > 0) {
            throw new InvalidProtocolBufferException("content behind a " + frame.kind());
        }
        switch (frame.kind()) {
            case HELLO -> greet(Hello.parseFrom(frame.message()));
            case REQUEST -> serve(frame, service);
            case REPLY -> calls.complete(frame.id(), frame.message(), frame.payload());
            case FAILURE -> failed(frame.id(), remote(Failure.parseFrom(frame.message())));
            case REFUSAL -> refused(Refusal.parseFrom(frame.message()));
        }
    }

    @Override
    public void closed(String reason) {
        end.compareAndSet(null, gone(reason));
        List<Runnable> tasks;
        synchronized (closeTasks) {
            closed = true;
            tasks = List.copyOf(closeTasks);
        }
        greeted.completeExceptionally(ending());
        calls.failAll(ending());
        runGuarded(service::closed);
        tasks.forEach(this::runGuarded);
    }

    private void greet(Hello theirs) throws InvalidProtocolBufferException {
        if (theirs.getProtocol() != protocol) {
            refuse(
                    "this is BeeFS protocol %d, and %s %s at %s speaks protocol %d: install the same version on both machines"
                            .formatted(protocol, theirs.getRole(), theirs.getProgram(), peer(), theirs.getProtocol()));
        } else if (!greeted.complete(theirs)) {
            throw new InvalidProtocolBufferException("a second greeting");
        }
    }

    private void refused(Refusal refusal) {
        end(new PosixException(Errno.EPROTO, "%s refused us: %s".formatted(peer(), refusal.getReason())));
    }

    private void failed(long id, PosixException why) {
        if (id == ALL) {
            end(why);
        } else {
            calls.fail(id, why);
        }
    }

    private void end(PosixException why) {
        noteEnd(why);
        link.close();
    }

    private void noteEnd(PosixException why) {
        end.compareAndSet(null, why);
        greeted.completeExceptionally(why);
    }

    private <Q extends MessageLite> void serve(Frame frame, Service<Q> to) throws InvalidProtocolBufferException {
        if (!greeted.isDone()) {
            throw new InvalidProtocolBufferException("a request before the greeting");
        }
        Q request = to.requests().parseFrom(frame.message());
        if (!backpressure.began()) {
            frame.payload().close();
            return;
        }
        FrameResponder responder = new FrameResponder(link, frame.id(), backpressure);
        long before = CurrentRequest.enter(frame.request());
        try {
            to.handle(new Message<>(request, frame.payload()), responder);
        } catch (RuntimeException | Error e) {
            if (Failures.isUnforeseen(e)) {
                LOG.error("a request of {} failed", peer(), e);
            }
            responder.fail(Failures.toPosix(e));
        } finally {
            CurrentRequest.leave(before);
        }
    }

    /**
     * ENOTCONN and ETIMEDOUT are what this connection itself says of the way to the peer, so the peer cannot say them.
     */
    private static PosixException remote(Failure failure) {
        Errno errno = Errno.of(failure.getErrno());
        boolean ours = errno == Errno.ENOTCONN || errno == Errno.ETIMEDOUT;
        return new PosixException(ours ? Errno.EIO : errno, failure.getReason());
    }

    private void expect(long id, Outgoing request, Duration deadline, Duration within) {
        calls.setDeadline(id, timers.schedule(within, () -> overdue(id, request, deadline)));
    }

    private void overdue(long id, Outgoing request, Duration deadline) {
        Duration more = more(request, deadline);
        if (more.isPositive()) {
            expect(id, request, deadline, more);
        } else {
            calls.fail(id, timedOut(deadline));
        }
    }

    /** How much longer a call may take than its deadline: until the link has been silent for that long. */
    private Duration more(Outgoing request, Duration deadline) {
        BooleanSupplier mayTakeLonger = request.mayTakeLonger();
        if (mayTakeLonger == null) {
            return Duration.ZERO;
        }
        Duration left = deadline.minus(link.silence());
        return left.isPositive() && mayTakeLonger.getAsBoolean() ? left : Duration.ZERO;
    }

    private PosixException timedOut(Duration deadline) {
        return new PosixException(
                Errno.ETIMEDOUT, "%s did not answer within %d ms".formatted(peer(), deadline.toMillis()));
    }

    private PosixException gone(String reason) {
        return new PosixException(Errno.ENOTCONN, "no connection with %s: %s".formatted(peer(), reason));
    }

    private PosixException ending() {
        PosixException why = end.get();
        return why != null
                ? why
                : new PosixException(Errno.ENOTCONN, "the connection with %s is open".formatted(peer()));
    }

    private void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a task failed after the connection with {} was closed", peer(), e);
        }
    }
}
