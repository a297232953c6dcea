package org.beefs.common.rpc;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Hello;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection with a peer alive while anybody needs it, and sends calls again on the next connection when one
 * breaks. Thread-safe.
 *
 * <p>A connection is opened when a call wants it, or always after {@link #keepConnected}; the handshake is done on it
 * before any call. Attempts that fail with ENOTCONN, ETIMEDOUT or EAGAIN are repeated until the call's patience is
 * over, after EAGAIN with ever longer pauses unless the peer has taken its leave: requests must be such that sending
 * them twice does no harm. For one that is {@link Outgoing#inOrder} EAGAIN ends the connection, because what follows it
 * on that must not come first. A peer that refuses us (EPROTO, or whatever else a handshake fails with) fails all calls
 * that wait, but those that wait {@link #FOR_EVER}: it may be another one, at an address that was taken meanwhile.
 */
public final class Reconnector implements AutoCloseable {
    /** Calls that may be unfinished at a time; more fail with EAGAIN at once. */
    public static final int MAX_CALLS = 8192;

    /** The patience of a call that is never given up: a century, longer than any process lives. */
    public static final Duration FOR_EVER = Duration.ofDays(36_500);

    /** How long opening a link and exchanging greetings may take. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** How long the whole handshake may take, whatever the deadlines of its calls. */
    public static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The peer to connect with, and the way to do so.
     *
     * @param name of the peer for messages to people, such as {@code the queen-bee}
     * @param address asked for at each attempt; null while it is not known, which counts as a failed attempt
     * @param service answers the peer's requests on a new connection
     * @param handshake done on each new connection before other calls; its failure closes the connection
     */
    public record Peer(
            String name,
            Supplier<@Nullable InetSocketAddress> address,
            Hello hello,
            Function<RpcConnection, Service<?>> service,
            Function<RpcConnection, CompletableFuture<Void>> handshake) {}

    private final RpcEnvironment world;
    private final Peer peer;
    private final AtomicLong lastCall = new AtomicLong();
    private final AtomicInteger unfinishedCount = new AtomicInteger();

    private final Map<Long, ResendingCall<?>> unfinished = new ConcurrentHashMap<>();

    /**
     * Unfinished calls that wait for a connection, by number, so that they go out in the order in which they were made;
     * what is asked for while they do may come in between. Whoever removes one sends it.
     */
    private final NavigableMap<Long, ResendingCall<?>> waiting = new ConcurrentSkipListMap<>();

    private final StandingConnection standing;
    private volatile boolean keepConnected;
    private volatile boolean closed;

    public Reconnector(RpcEnvironment world, Peer peer) {
        this.world = world;
        this.peer = peer;
        this.standing = new StandingConnection(world, peer, this);
    }

    /**
     * Calls the peer, as often as it takes, until the patience (from now) is over; then the future fails with EIO and
     * says who is missing. An attempt that takes longer than its deadline closes the connection: a peer that was
     * stopped keeps its sockets open ({@link Outgoing#mayTakeLonger} lets one that is only far away go on). One that
     * may take longer than the patience, and is under way when that is over, is waited for; when it breaks off, another
     * patience begins, unless the call is as old as an attempt may become. So the call ends within two deadlines and a
     * patience. Cancelling the future ends the resending; what was sent may still be carried out. Failures other than
     * those of the connection come from the peer, or from the supplier, and are passed on.
     *
     * @param attempt what one attempt sends. Each takes the payload over, so each asks for a new one. It may be asked
     *     once more at the very moment in which the future is completed
     */
    public <A extends MessageLite> CompletableFuture<Message<A>> call(
            Supplier<Outgoing> attempt, Parser<A> replies, Duration attemptDeadline, Duration patience) {
        return call(attempt, replies, attemptDeadline, patience, reply -> {});
    }

    /**
     * As above, for a transfer that a slow network may delay beyond the patience.
     *
     * @param more asked when the patience is over, how much longer to wait; and again after that, until it says zero.
     *     It does not count while the call pauses because the peer has refused the last attempt
     */
    public <A extends MessageLite> CompletableFuture<Message<A>> call(
            Supplier<Outgoing> attempt,
            Parser<A> replies,
            Duration attemptDeadline,
            Duration patience,
            Supplier<Duration> more) {
        return call(attempt, replies, new ResendingCall.Limits(attemptDeadline, patience, more), reply -> {});
    }

    /**
     * As above, for a reply whose place among all that comes matters.
     *
     * @param arrived as in {@link RpcConnection#call}; the reply is to the attempt that was made last
     */
    public <A extends MessageLite> CompletableFuture<Message<A>> call(
            Supplier<Outgoing> attempt,
            Parser<A> replies,
            Duration attemptDeadline,
            Duration patience,
            Consumer<? super A> arrived) {
        return call(
                attempt, replies, new ResendingCall.Limits(attemptDeadline, patience, () -> Duration.ZERO), arrived);
    }

    private <A extends MessageLite> CompletableFuture<Message<A>> call(
            Supplier<Outgoing> attempt, Parser<A> replies, ResendingCall.Limits limits, Consumer<? super A> arrived) {
        ResendingCall<A> call =
                new ResendingCall<>(lastCall.incrementAndGet(), world, attempt, replies, limits, arrived, this);
        boolean admitted = unfinishedCount.incrementAndGet() <= MAX_CALLS;
        unfinished.put(call.number(), call);
        if (!admitted) {
            call.fail(
                    new PosixException(Errno.EAGAIN, "%d calls are waiting for %s".formatted(MAX_CALLS, peer.name())));
        } else if (closed) {
            call.fail(closedFailure());
        } else {
            endAfter(limits.patience(), call);
            dispatch(call);
        }
        return call.result();
    }

    private void endAfter(Duration time, ResendingCall<?> call) {
        Runnable end = () -> {
            Duration longer = call.limits().more().get();
            if (longer.isPositive() && !call.isPausing()) {
                endAfter(longer, call);
            } else if (!call.outlivesPatience()) {
                call.fail(outOfPatience(call));
            }
        };
        call.setPatience(world.timers().schedule(time, end));
    }

    /** Connects now, and from now on again by itself after each break. */
    public void keepConnected() {
        keepConnected = true;
        standing.connectIfNeeded();
    }

    /** Sends all calls that are under way again, if they are wanted still, and drops what has not arrived of them. */
    public void startAnew(String reason) {
        standing.startAnew(reason);
    }

    /** Whether there is room for many more calls, so that none of some fails because of that. */
    public boolean hasRoom() {
        return unfinishedCount.get() < MAX_CALLS / 2;
    }

    /** Calls that wait for a connection. */
    public int waiting() {
        return waiting.size();
    }

    /** Hears of a call that is not finished. */
    public interface Waiting {
        /**
         * A request waits for the peer.
         *
         * @param request its id in logs
         * @param connected whether it waits for the answer; otherwise for a connection
         */
        void waits(long request, boolean connected);
    }

    /** Shows all unfinished calls, the oldest first. */
    public void forEachWaiting(Waiting visitor) {
        inOrder().forEach(call -> visitor.waits(call.request(), !waiting.containsKey(call.number())));
    }

    /** Name of the peer, for messages to people. */
    public String peer() {
        return peer.name();
    }

    /** Whether calls go out at once. */
    public boolean isConnected() {
        return standing.current() != null;
    }

    /** Why there is no connection, or was none when it was last missing; for messages to people. */
    public String trouble() {
        return standing.trouble();
    }

    /** Closes the connection and fails all calls with EIO; later ones too. */
    @Override
    public void close() {
        closed = true;
        standing.close();
        inOrder().forEach(call -> call.fail(closedFailure()));
    }

    /** Whether somebody needs a connection. */
    boolean isNeeded() {
        return keepConnected || !waiting.isEmpty();
    }

    void connected(RpcConnection connection) {
        List.copyOf(waiting.keySet()).forEach(number -> sendWaiting(number, connection));
    }

    /**
     * The peer has refused us. Fails the calls that wait, and may be given up, and returns whether there were any;
     * connecting goes on.
     */
    boolean refused(PosixException cause) {
        List<ResendingCall<?>> told = waiting.values().stream()
                .filter(call -> !call.limits().areEndless())
                .toList();
        told.forEach(call -> call.fail(cause));
        return !told.isEmpty();
    }

    /** An attempt of a call failed: it is sent again, or fails. */
    void attemptFailed(ResendingCall<?> call, RpcConnection connection, PosixException cause) {
        if (!call.isDone()) {
            sendAgainOrFail(call, connection, cause);
        }
    }

    /** A call has its result, or has failed. */
    void ended(ResendingCall<?> call) {
        waiting.remove(call.number());
        if (unfinished.remove(call.number()) != null) {
            unfinishedCount.decrementAndGet();
        }
    }

    /** Whether a failure is the connection's, and may be over with the next attempt. */
    static boolean passes(PosixException cause) {
        return switch (cause.errno()) {
            case ENOTCONN, ETIMEDOUT, EAGAIN -> true;
            default -> false;
        };
    }

    /** The unfinished, the oldest first. */
    private List<ResendingCall<?>> inOrder() {
        List<ResendingCall<?>> ordered = new ArrayList<>(unfinished.values());
        ordered.sort(Comparator.comparingLong(ResendingCall::number));
        return ordered;
    }

    /** Sends the call now, or lets it wait for the connection. */
    private void dispatch(ResendingCall<?> call) {
        RpcConnection present = standing.current();
        if (present != null && !call.isDone()) {
            call.send(present);
        } else {
            letWait(call);
        }
    }

    private void letWait(ResendingCall<?> call) {
        waiting.put(call.number(), call);
        if (call.isDone()) {
            waiting.remove(call.number());
            return;
        }
        RpcConnection open = standing.current(); // looked at after the put: a later connection finds the call itself
        if (open != null) {
            sendWaiting(call.number(), open);
        } else {
            standing.connectIfNeeded();
        }
    }

    private void sendWaiting(long number, RpcConnection open) {
        ResendingCall<?> call = waiting.remove(number);
        if (call != null) {
            call.send(open);
        }
    }

    private void sendAgainOrFail(ResendingCall<?> call, RpcConnection on, PosixException cause) {
        if (cause.errno() == Errno.EAGAIN) {
            call.tellUntaken();
        }
        if (cause.errno() == Errno.EAGAIN && !call.isInOrder() && on.isOpen()) {
            call.setNotTaken(cause.getMessage());
            world.timers().schedule(call.pause(), () -> goOn(call));
        } else if (passes(cause)) {
            call.setNotTaken("");
            standing.giveUp(on, cause.getMessage());
            goOn(call);
        } else {
            call.fail(cause);
        }
    }

    private void goOn(ResendingCall<?> call) {
        call.endPause();
        if (call.endOutliving()) {
            if (call.isOld()) {
                call.fail(outOfPatience(call));
                return;
            }
            endAfter(call.limits().patience(), call);
        }
        dispatch(call);
    }

    private PosixException outOfPatience(ResendingCall<?> call) {
        long seconds = call.limits().patience().toSeconds();
        if (!call.notTaken().isEmpty()) {
            return new PosixException(
                    Errno.EIO, "%s did not take it up for %d s: %s".formatted(peer.name(), seconds, call.notTaken()));
        }
        return new PosixException(
                Errno.EIO, "%s did not answer for %d s: %s".formatted(peer.name(), seconds, standing.trouble()));
    }

    private PosixException closedFailure() {
        return new PosixException(Errno.EIO, "the connection with %s was closed".formatted(peer.name()));
    }
}
