package org.beefs.honeybee.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Hello;
import org.beefs.honeybee.Patience;
import org.jspecify.annotations.Nullable;

/**
 * The way to one honeycomb: its address, its connection, which is opened when it is wanted and may be closed when it is
 * idle, and the numbers of requests there. Thread-safe; nothing of others is called under its lock.
 */
final class HoneycombClient {
    /** For the answer to a question about one replica. */
    private static final Duration ATTEMPT_DEADLINE = Duration.ofSeconds(10);

    private final DataWorld world;
    private final HoneycombAddress address;
    private final Reachability reachability;
    private final Runnable restarted;
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong restarts = new AtomicLong();
    private volatile HoneycombProcess process = HoneycombProcess.UNKNOWN;

    // Guarded by this.
    private RequestWindow window = new RequestWindow(0);
    private @Nullable Reconnector reconnector;
    private int calls;

    /** @param restarted hears that another process answers than before */
    HoneycombClient(DataWorld world, HoneycombAddress address, Runnable restarted) {
        this.world = world;
        this.restarted = restarted;
        this.address = address;
        this.reachability = new Reachability(world, address);
    }

    /** A call without content, from now on until the patience is over. */
    CompletableFuture<Message<DataReply>> call(DataRequest request, ReplicaRequest.Kind kind, Duration deadline) {
        Wait wait = new Wait(deadline, patience(kind), () -> Duration.ZERO, true);
        return call(request, kind, Unpooled.EMPTY_BUFFER, wait, Leave.ALWAYS);
    }

    /**
     * A read that is worth waiting for no longer than that. Whether it is answered by then says nothing of whether the
     * honeycomb can be reached: a slow network may need longer.
     */
    CompletableFuture<Message<DataReply>> attempt(DataRequest request, Duration deadline, Duration worth) {
        Patience patience = Patience.of(world.rpc().clock(), worth);
        Wait wait = new Wait(deadline, patience, () -> Duration.ZERO, false);
        return call(request, ReplicaRequest.Kind.QUESTION, Unpooled.EMPTY_BUFFER, wait, Leave.ALWAYS);
    }

    /** How often another process has answered than before. */
    long restarts() {
        return restarts.get();
    }

    /** Whether calls reach it, and how fast. */
    Reachability reachability() {
        return reachability;
    }

    /** The patience of what is asked for now: less if the honeycomb has not been reached for long. */
    Patience patience(ReplicaRequest.Kind kind) {
        return reachability.patience(kind);
    }

    /**
     * A call with much content, one way or the other, which a slow network takes its time for: its patience is not over
     * while the honeycomb answers others.
     *
     * @param content the caller's; it is not needed any more when the future is done
     * @param leave without which it is not sent, and fails
     */
    CompletableFuture<Message<DataReply>> transfer(
            DataRequest request,
            ReplicaRequest.Kind kind,
            ByteBuf content,
            Duration deadline,
            Patience patience,
            Leave leave) {
        long begun = reachability.now();
        Wait wait = new Wait(deadline, patience, () -> reachability.left(begun), true);
        return call(request, kind, content, wait, leave);
    }

    /**
     * How long a call is waited for.
     *
     * @param deadline of one attempt
     * @param more how much longer, once the patience is over
     * @param isTelling whether who has not answered by then cannot be reached
     */
    private record Wait(Duration deadline, Patience patience, Supplier<Duration> more, boolean isTelling) {
        Duration left() {
            Duration left = patience.left();
            Duration longer = more.get();
            return left.compareTo(longer) >= 0 ? left : longer;
        }
    }

    /** Fails with {@link PosixException}: the honeycomb's, or EIO when it cannot be reached. */
    private CompletableFuture<Message<DataReply>> call(
            DataRequest request, ReplicaRequest.Kind kind, ByteBuf content, Wait wait, Leave leave) {
        address.wanted(inodeOf(request));
        ReplicaRequest attempts = new ReplicaRequest(request, kind, content, () -> process, world.mayChange(), leave);
        long begun = reachability.now();
        Reconnector connection = begin();
        CompletableFuture<Message<DataReply>> answer = connection.call(
                () -> attempts.attempt(this::window), DataReply.parser(), wait.deadline(), wait.left(), wait.more());
        if (kind == ReplicaRequest.Kind.QUESTION && !connection.isConnected()) {
            reachability.giveUpIfMissed(answer, connection::isConnected);
        }
        return answer.handle((reply, failure) -> {
            attempts.end();
            PosixException unreachable = unreachable(attempts, failure);
            end();
            if (unreachable == null || wait.isTelling()) {
                reachability.ended(begun, unreachable);
            }
            if (failure == null) {
                reachability.answered();
            } else {
                throw new CompletionException(unreachable == null ? failure : mustComeBack(unreachable));
            }
            return result(reply);
        });
    }

    /** Whether it was not reached when it was wanted last, although the queen-bee has not said that it is away. */
    boolean isUnreached() {
        return reachability.isUnreached() && address.away().isZero();
    }

    /** Calls it if it was not reached and nobody has wanted it for long since, maybe because of that. */
    void tryAgain() {
        if (reachability.isWorthAnAttempt() && isIdle()) {
            call(address.anyStatus(), ReplicaRequest.Kind.QUESTION, ATTEMPT_DEADLINE);
        }
    }

    private synchronized boolean isIdle() {
        return calls == 0;
    }

    /** Gives the connection up if no call uses it: whoever gets it closes it. The next call opens another one. */
    synchronized @Nullable Reconnector detachIfIdle() {
        Reconnector idle = calls == 0 ? reconnector : null;
        if (idle != null) {
            reconnector = null;
        }
        return idle;
    }

    /** Gives the connection up for ever: whoever gets it closes it. */
    synchronized @Nullable Reconnector detach() {
        Reconnector last = reconnector;
        reconnector = null;
        return last;
    }

    /** The connection, while there is, or shall be, one. */
    synchronized @Nullable Reconnector reconnector() {
        return reconnector;
    }

    private synchronized Reconnector begin() {
        calls++;
        if (reconnector == null) {
            reconnector = new Reconnector(
                    world.rpc(),
                    new Reconnector.Peer(
                            "the honeycomb of " + address.desktop(),
                            address::next,
                            world.hello(),
                            connection -> new NoService<>(DataRequest.parser()),
                            this::shakeHands));
        }
        return reconnector;
    }

    private synchronized void end() {
        calls--;
    }

    private CompletableFuture<Void> shakeHands(RpcConnection connection) {
        return connection.greetedBy(address.honeycomb()).thenAccept(this::greeted);
    }

    private void greeted(Hello hello) {
        HoneycombProcess former = process;
        process = HoneycombProcess.of(hello, connections.incrementAndGet());
        if (!former.equals(HoneycombProcess.UNKNOWN) && !process.equals(former)) {
            restarts.incrementAndGet();
            restarted.run();
        }
    }

    private synchronized RequestWindow window() {
        long session = world.session().getAsLong();
        if (window.session() != session) {
            window = new RequestWindow(session);
        }
        return window;
    }

    private PosixException mustComeBack(PosixException unreachable) {
        return new PosixException(
                Errno.EIO, "%s must come back: %s".formatted(address.desktop(), unreachable.getMessage()));
    }

    /**
     * The failure if it means that the honeycomb cannot be reached; not if we did not want or were not able to send.
     */
    private static @Nullable PosixException unreachable(ReplicaRequest attempts, @Nullable Throwable failure) {
        if (failure == null || attempts.isGivenUp()) {
            return null;
        }
        PosixException cause = Failures.toPosix(failure);
        return cause.errno() == Errno.EAGAIN ? null : cause;
    }

    private static Message<DataReply> result(Message<DataReply> reply) {
        if (reply.body().getFailure().getErrno() != 0) {
            reply.payload().close();
            throw PosixException.of(reply.body().getFailure());
        }
        return reply;
    }

    private static long inodeOf(DataRequest request) {
        return switch (request.getOperationCase()) {
            case GET_STATUSES -> request.getGetStatuses().getTargets(0).getInode();
            case READ_FILES -> request.getReadFiles().getTargets(0).getInode();
            default -> request.getTarget().getInode();
        };
    }
}
