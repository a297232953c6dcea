package org.beefs.honeybee.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Hello;
import org.beefs.honeybee.Patience;
import org.beefs.honeybee.queen.RequestWindow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one honeycomb: its address, its connection, which is opened when it is wanted and may be closed when it is
 * idle, and the numbers of requests there. Thread-safe; nothing of others is called under its lock.
 */
final class HoneycombClient {
    /**
     * How long a read waits for a honeycomb that was waited for in vain a moment ago, and has not been reached since: a
     * program that reads many files there, or a kernel that asks twice, does not wait as long each time. It is time for
     * an attempt to connect, and one that takes longer goes on for the next read.
     */
    static final Duration AWAY_PATIENCE = Duration.ofSeconds(2);

    /**
     * How long a read waits for one that the queen-bee has missed for as long as anybody waits: time for her to say so.
     * She has no address of it either.
     */
    static final Duration MISSED_PATIENCE = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(HoneycombClient.class);

    private final DataWorld world;
    private final HoneycombAddress address;
    private final AtomicLong connections = new AtomicLong();
    private volatile HoneycombProcess process = new HoneycombProcess(0, 0);

    // Guarded by this.
    private RequestWindow window = new RequestWindow(0);
    private @Nullable Reconnector reconnector;
    private int calls;

    /** Null when the last call has reached the honeycomb, or was not sent. */
    private @Nullable Absence absence;

    /**
     * The honeycomb was reached by no call, one soon after the other.
     *
     * @param since when the first of them began, on the boot clock
     * @param until when the last one ended
     */
    private record Absence(long since, long until) {
        /** Because of one more call. */
        static Absence after(@Nullable Absence before, long begun, long ended, Duration patience) {
            return new Absence(before != null && before.goesOn(patience, begun) ? before.since : begun, ended);
        }

        /**
         * Whether a call that begins now, and fails too, is a part of it: not when the honeycomb may have been there
         * unnoticed.
         */
        boolean goesOn(Duration patience, long now) {
            return now - until < patience.toNanos();
        }

        /** Whether it has lasted for as long as anybody waits, and goes on. */
        boolean isLong(Duration patience, long now) {
            return until - since >= patience.toNanos() && goesOn(patience, now);
        }
    }

    HoneycombClient(DataWorld world, HoneycombAddress address) {
        this.world = world;
        this.address = address;
    }

    /** A call without content, from now on until the patience is over. */
    CompletableFuture<Message<DataReply>> call(DataRequest request, ReplicaRequest.Kind kind, Duration deadline) {
        return call(request, kind, Unpooled.EMPTY_BUFFER, deadline, patience(kind));
    }

    /** The patience of what is asked for now. A change always has all of it: what is given up then may be lost. */
    Patience patience(ReplicaRequest.Kind kind) {
        Duration whole = world.config().patience();
        boolean brief = kind == ReplicaRequest.Kind.READ && AWAY_PATIENCE.compareTo(whole) < 0 && isAway(whole);
        return patience(brief ? AWAY_PATIENCE : whole);
    }

    private synchronized boolean isAway(Duration patience) {
        return absence != null && absence.isLong(patience, now());
    }

    private long now() {
        return world.rpc().clock().bootNanos();
    }

    /** So much from now on. */
    Patience patience(Duration whole) {
        return Patience.of(world.rpc().clock(), whole);
    }

    /**
     * Calls until the patience is over. The content is the caller's, and is not needed any more when the future is
     * done. Fails with {@link PosixException}: the honeycomb's, or EIO when it cannot be reached.
     */
    CompletableFuture<Message<DataReply>> call(
            DataRequest request, ReplicaRequest.Kind kind, ByteBuf content, Duration deadline, Patience patience) {
        return call(request, kind, content, deadline, patience, () -> true);
    }

    /** As above, as long as it is wanted; it is not sent afterwards, and fails with EIO. */
    CompletableFuture<Message<DataReply>> call(
            DataRequest request,
            ReplicaRequest.Kind kind,
            ByteBuf content,
            Duration deadline,
            Patience patience,
            BooleanSupplier wanted) {
        address.wanted(inodeOf(request));
        ReplicaRequest attempts = new ReplicaRequest(request, kind, content, () -> process, world.mayChange(), wanted);
        long begun = now();
        Reconnector connection = begin();
        CompletableFuture<Message<DataReply>> answer =
                connection.call(() -> attempts.attempt(this::window), DataReply.parser(), deadline, patience.left());
        if (kind == ReplicaRequest.Kind.READ && !connection.isConnected()) {
            giveUpIfMissed(answer, connection, MISSED_PATIENCE);
        }
        return answer.handle((reply, failure) -> {
            attempts.end();
            PosixException unreachable = unreachable(attempts, failure);
            ended(begun, unreachable);
            if (failure != null) {
                throw new CompletionException(unreachable == null ? failure : mustComeBack(unreachable));
            }
            return result(reply);
        });
    }

    /** Each attempt to connect has the queen-bee asked, so what she says is looked at again and again. */
    private void giveUpIfMissed(CompletableFuture<?> answer, Reconnector connection, Duration after) {
        Runnable look = () -> {
            if (answer.isDone() || connection.isConnected()) {
                return;
            }
            Duration away = address.away();
            if (away.compareTo(world.config().patience()) < 0) {
                giveUpIfMissed(answer, connection, AWAY_PATIENCE);
            } else {
                answer.completeExceptionally(new PosixException(
                        Errno.EIO, "the queen-bee has missed it for %s".formatted(Durations.approximate(away))));
            }
        };
        world.rpc().timers().schedule(after, CurrentRequest.carrying(look));
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

    private void ended(long begun, @Nullable PosixException unreachable) {
        boolean known;
        synchronized (this) {
            calls--;
            known = absence != null;
            absence = unreachable == null
                    ? null
                    : Absence.after(absence, begun, now(), world.config().patience());
        }
        if (unreachable != null && !known) {
            LOG.warn(
                    "{} must come back: files whose current content is there cannot be used ({})",
                    address.desktop(),
                    unreachable.getMessage());
        }
    }

    private CompletableFuture<Void> shakeHands(RpcConnection connection) {
        return connection.greeted().thenAccept(this::greeted);
    }

    private void greeted(Hello hello) {
        process = HoneycombProcess.of(hello, connections.incrementAndGet());
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
