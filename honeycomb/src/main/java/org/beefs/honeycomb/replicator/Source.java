package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.AdmitCopy;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.GetChecksums;
import org.beefs.common.wire.GetStatuses;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Read;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Seek;
import org.beefs.common.wire.SyncReplica;
import org.beefs.honeycomb.store.content.Checksums;
import org.jspecify.annotations.Nullable;

/**
 * Another honeycomb, which has what is fetched, for as long as one request may take. Thread-safe. Futures fail with
 * {@link PosixException}; {@link #isLate} tells when only the time was too short.
 */
final class Source implements AutoCloseable {
    /** How long the source may be silent. A slow network is given its time, as far as the request has any. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** Time for one attempt to connect, and a little more: then the source is given up for the rest of the request. */
    private static final Duration REACH = Reconnector.CONNECT_TIMEOUT.plusSeconds(1);

    /** Least time for what is asked at the very end of the request, such as whether the file is still the same. */
    private static final Duration LAST = Duration.ofSeconds(2);

    private final ReplicaPlace place;
    private final RpcEnvironment environment;
    private final Window window;
    private final long end;
    private final Reconnector reconnector;
    private volatile @Nullable PosixException unreachable;

    /** @param end of the request, by the boot clock */
    Source(ReplicaPlace place, Hello hello, RpcEnvironment environment, Window window, long end) {
        this.place = place;
        this.environment = environment;
        this.window = window;
        this.end = end;
        InetSocketAddress address = Addresses.parse(place.getAddress());
        reconnector = new Reconnector(
                environment,
                new Reconnector.Peer(
                        "the honeycomb of " + place.getDesktop(),
                        () -> address,
                        hello,
                        connection -> new NoService<>(DataRequest.parser()),
                        connection -> connection.greetedBy(place.getHoneycomb()).thenAccept(greeting -> {})));
    }

    /** The other honeycomb's UUID. */
    ByteString honeycomb() {
        return place.getHoneycomb();
    }

    /** How much content to ask it for at a time. */
    Window window() {
        return window;
    }

    /** Why the source is not asked any more: it could not be reached. Null as long as it may be asked. */
    @Nullable
    PosixException unreachable() {
        return unreachable;
    }

    /** A failure that says that there was no time for more. */
    static PosixException late(String what) {
        return new PosixException(Errno.ETIMEDOUT, "there was too little time: " + what);
    }

    /** Whether it would have gone on if there had been more time. */
    static boolean isLate(Throwable failure) {
        return Failures.toPosix(failure).errno() == Errno.ETIMEDOUT;
    }

    /** As {@link org.beefs.honeycomb.store.ReplicaStore#steady}. */
    CompletableFuture<ReplicaStatus> steady(Fetch fetch) {
        DataRequest request = DataRequest.newBuilder()
                .setTarget(target(fetch))
                .setSync(SyncReplica.newBuilder().setSteadyMillis(fetch.getQuietMillis()))
                .build();
        return call(request).thenApply(reply -> {
            reply.payload().close();
            return reply.body().getStatuses(0);
        });
    }

    /** The state of the replicas there, in the order asked. */
    CompletableFuture<List<ReplicaStatus>> statuses(List<Fetch> fetches) {
        GetStatuses.Builder asked = GetStatuses.newBuilder();
        fetches.forEach(fetch -> asked.addTargets(target(fetch)));
        return call(DataRequest.newBuilder().setGetStatuses(asked).build()).thenApply(reply -> {
            reply.payload().close();
            return reply.body().getStatusesList();
        });
    }

    /** Whether the source lets so many bytes be copied from it; false when {@code isOver} says so before it does. */
    CompletableFuture<Boolean> admit(long bytes, BooleanSupplier isOver) {
        DataRequest request = DataRequest.newBuilder()
                .setAdmitCopy(AdmitCopy.newBuilder().setBytes(bytes))
                .build();
        return call(request).thenCompose(reply -> {
            reply.payload().close();
            boolean admitted = reply.body().getAdmitted();
            return admitted || isOver.getAsBoolean()
                    ? CompletableFuture.completedFuture(admitted)
                    : admit(bytes, isOver);
        });
    }

    /** All of a range of the version's content; the caller closes it. */
    CompletableFuture<Payload.Bytes> read(Fetch fetch, long offset, int length) {
        DataRequest request = DataRequest.newBuilder()
                .setTarget(target(fetch))
                .setRead(Read.newBuilder().setOffset(offset).setLength(length).setChecksum(true))
                .build();
        return call(request).thenApply(reply -> checked(reply, length));
    }

    private static Payload.Bytes checked(Message<DataReply> reply, int length) {
        if (reply.payload() instanceof Payload.Bytes(ByteBuf content)
                && content.readableBytes() == length
                && Checksums.of(content) == reply.body().getChecksum()) {
            return new Payload.Bytes(content);
        }
        reply.payload().close();
        throw new PosixException(Errno.EIO, "content was changed on its way, or is not all there");
    }

    /** Where data, or a hole, goes on in the version; its size when nothing of that follows. */
    CompletableFuture<Long> seek(Fetch fetch, long offset, boolean hole) {
        DataRequest request = DataRequest.newBuilder()
                .setTarget(target(fetch))
                .setSeek(Seek.newBuilder().setOffset(offset).setHole(hole))
                .build();
        return call(request)
                .thenApply(reply -> {
                    reply.payload().close();
                    return reply.body().getPosition();
                })
                .exceptionallyCompose(failure -> Failures.toPosix(failure).errno() == Errno.ENXIO
                        ? CompletableFuture.completedFuture(fetch.getSize())
                        : CompletableFuture.failedFuture(failure));
    }

    /** As {@link org.beefs.honeycomb.store.ReplicaStore#checksums}. */
    CompletableFuture<ByteString> checksums(Fetch fetch, long offset, int blocks) {
        DataRequest request = DataRequest.newBuilder()
                .setTarget(target(fetch))
                .setGetChecksums(GetChecksums.newBuilder().setOffset(offset).setBlocks(blocks))
                .build();
        return call(request).thenApply(reply -> {
            reply.payload().close();
            return reply.body().getChecksums();
        });
    }

    /** Closes the connection; calls that wait fail. */
    @Override
    public void close() {
        reconnector.close();
    }

    private CompletableFuture<Message<DataReply>> call(DataRequest request) {
        Duration left = Duration.ofNanos(end - environment.clock().bootNanos());
        CompletableFuture<Message<DataReply>> answer = reconnector.call(
                () -> new Outgoing(request, Payload.NONE, () -> true),
                DataReply.parser(),
                DEADLINE,
                left.compareTo(LAST) > 0 ? left : LAST);
        Duration reach = reconnector.isConnected() ? DEADLINE.plus(REACH) : REACH;
        Timers.Timer look = environment.timers().schedule(reach, this::giveUpUnlessConnected);
        answer.whenComplete((_, _) -> look.cancel());
        return answer.handle(this::answered);
    }

    private void giveUpUnlessConnected() {
        if (!reconnector.isConnected()) {
            unreachable = new PosixException(
                    Errno.EIO, "%s cannot be reached: %s".formatted(reconnector.peer(), reconnector.trouble()));
            reconnector.close();
        }
    }

    private Message<DataReply> answered(@Nullable Message<DataReply> reply, @Nullable Throwable failure) {
        if (reply == null) {
            throw failed(Failures.toPosix(Objects.requireNonNull(failure)));
        }
        if (reply.body().hasFailure()) {
            reply.payload().close();
            throw PosixException.of(reply.body().getFailure());
        }
        return reply;
    }

    private PosixException failed(PosixException cause) {
        if (unreachable == null && !reconnector.isConnected()) {
            unreachable = cause;
        }
        PosixException why = unreachable;
        if (why == null && environment.clock().isPast(end)) {
            why = late("not all of it has come from " + reconnector.peer());
        }
        return why == null ? cause : why;
    }

    /** The target of a read; for a checkpoint the primary replica as it is. */
    private static ReplicaTarget target(Fetch fetch) {
        long version = fetch.getCheckpoint() ? 0 : fetch.getVersion();
        return ReplicaTarget.newBuilder()
                .setInode(fetch.getReplica().getInode())
                .setGeneration(fetch.getReplica().getGeneration())
                .setEpoch(fetch.getReplica().getEpoch())
                .setVersion(version)
                .setExactVersion(version)
                .setCapability(fetch.getCapability())
                .build();
    }
}
