package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcEnvironment;
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
import org.beefs.common.wire.SyncReplica;
import org.beefs.honeycomb.store.Checksums;

/** Another honeycomb, which has what is fetched. Thread-safe. Futures fail with {@link PosixException}. */
final class Source implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final ReplicaPlace place;
    private final Reconnector reconnector;

    Source(ReplicaPlace place, Hello hello, RpcEnvironment environment) {
        this.place = place;
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

    /** What the replicas look like there, in the order asked. */
    CompletableFuture<List<ReplicaStatus>> statuses(List<Fetch> fetches) {
        GetStatuses.Builder asked = GetStatuses.newBuilder();
        fetches.forEach(fetch -> asked.addTargets(target(fetch)));
        return call(DataRequest.newBuilder().setGetStatuses(asked).build()).thenApply(reply -> {
            reply.payload().close();
            return reply.body().getStatusesList();
        });
    }

    /** Whether it lets so many bytes be copied from it; false when that is over before it does. */
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

    /** All of a range of the version's content, which whoever is answered closes. */
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

    /** Calls that wait fail. */
    @Override
    public void close() {
        reconnector.close();
    }

    private CompletableFuture<Message<DataReply>> call(DataRequest request) {
        return reconnector
                .call(() -> new Outgoing(request), DataReply.parser(), DEADLINE, PATIENCE)
                .thenApply(reply -> {
                    if (reply.body().hasFailure()) {
                        reply.payload().close();
                        throw PosixException.of(reply.body().getFailure());
                    }
                    return reply;
                });
    }

    /** Of a checkpoint the primary replica as it is. */
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
