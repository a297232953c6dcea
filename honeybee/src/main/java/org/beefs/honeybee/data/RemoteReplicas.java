package org.beefs.honeybee.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.Observations;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Allocate;
import org.beefs.common.wire.Copy;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.GetStatuses;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Read;
import org.beefs.common.wire.ReadFiles;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Seek;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.SyncReplica;
import org.beefs.common.wire.Truncate;
import org.beefs.common.wire.Write;
import org.beefs.honeybee.ConcurrencyLimit;
import org.beefs.honeybee.HoneybeeConfig;
import org.beefs.honeybee.Patience;

/**
 * Content of the replicas in another desktop's honeycomb. Reads and writes longer than {@link Frame#MAX_PAYLOAD} travel
 * as several requests at once. Thread-safe.
 */
final class RemoteReplicas implements ReplicaAccess {
    /** Reads and writes that may wait for one of {@code maxTransfers} places. */
    static final int MOST_WAITING = 8192;

    private final HoneycombClient client;
    private final HoneybeeConfig config;
    private final ConcurrencyLimit transfers;
    private final Leave leave;

    RemoteReplicas(HoneycombClient client, HoneybeeConfig config) {
        this(client, config, new ConcurrencyLimit(config.maxTransfers(), MOST_WAITING), Leave.ALWAYS);
    }

    private RemoteReplicas(HoneycombClient client, HoneybeeConfig config, ConcurrencyLimit transfers, Leave leave) {
        this.client = client;
        this.config = config;
        this.transfers = transfers;
        this.leave = leave;
    }

    /** These replicas, to which writes are sent, and sent again, only with leave; they fail otherwise. */
    RemoteReplicas writingWith(Leave leaveToWrite) {
        return new RemoteReplicas(client, config, transfers, leaveToWrite);
    }

    HoneycombClient client() {
        return client;
    }

    @Override
    public CompletableFuture<Payload> read(ReplicaTarget target, long offset, int length) {
        if (length <= Frame.MAX_PAYLOAD) {
            return readOnce(target, offset, length);
        }
        List<CompletableFuture<Payload>> parts = new ArrayList<>();
        for (int done = 0; done < length; done += Frame.MAX_PAYLOAD) {
            parts.add(readOnce(target, offset + done, Math.min(Frame.MAX_PAYLOAD, length - done)));
        }
        return Parts.join(parts);
    }

    @Override
    public CompletableFuture<ReplicaStatus> write(ReplicaTarget target, long offset, boolean append, ByteBuf content) {
        int length = content.readableBytes();
        if (length <= Frame.MAX_PAYLOAD) {
            return writeOnce(target, offset, append, content.slice());
        }
        if (append) {
            return Futures.failed(Errno.EINVAL, "an append of more than 1 MiB cannot be made as one");
        }
        List<CompletableFuture<ReplicaStatus>> parts = new ArrayList<>();
        for (int done = 0; done < length; done += Frame.MAX_PAYLOAD) {
            int part = Math.min(Frame.MAX_PAYLOAD, length - done);
            parts.add(writeOnce(target, offset + done, false, content.slice(content.readerIndex() + done, part)));
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(all -> parts.stream()
                        .map(CompletableFuture::resultNow)
                        .reduce(Observations::latest)
                        .orElseThrow());
    }

    @Override
    public CompletableFuture<ReplicaStatus> truncate(ReplicaTarget target, long size) {
        DataRequest.Builder request =
                to(target).setTruncate(Truncate.newBuilder().setSize(size));
        return change(request, ReplicaRequest.Kind.REPEATABLE, config.dataDeadline());
    }

    @Override
    public CompletableFuture<ReplicaStatus> allocate(ReplicaTarget target, int mode, long offset, long length) {
        Allocate allocate = Allocate.newBuilder()
                .setMode(mode)
                .setOffset(offset)
                .setLength(length)
                .build();
        return change(to(target).setAllocate(allocate), ReplicaRequest.Kind.REPEATABLE, config.dataDeadline());
    }

    @Override
    public CompletableFuture<ReplicaStatus> setTimes(ReplicaTarget target, SetTimes times) {
        return change(to(target).setSetTimes(times), ReplicaRequest.Kind.REPEATABLE, config.dataDeadline());
    }

    @Override
    public CompletableFuture<ReplicaStatus> sync(ReplicaTarget target, boolean dataOnly) {
        DataRequest.Builder request =
                to(target).setSync(SyncReplica.newBuilder().setDataOnly(dataOnly));
        return change(request, ReplicaRequest.Kind.SYNC, config.syncDeadline());
    }

    @Override
    public CompletableFuture<List<ReplicaStatus>> statuses(List<ReplicaTarget> targets) {
        DataRequest request = DataRequest.newBuilder()
                .setGetStatuses(GetStatuses.newBuilder().addAllTargets(targets))
                .build();
        return client.call(request, ReplicaRequest.Kind.QUESTION, config.dataDeadline())
                .thenApply(reply -> close(reply).getStatusesList());
    }

    @Override
    public CompletableFuture<Long> seek(ReplicaTarget target, long offset, boolean hole) {
        DataRequest request = to(target)
                .setSeek(Seek.newBuilder().setOffset(offset).setHole(hole))
                .build();
        return client.call(request, ReplicaRequest.Kind.QUESTION, config.dataDeadline())
                .thenApply(reply -> close(reply).getPosition());
    }

    @Override
    public CompletableFuture<Copied> copy(ReplicaTarget source, long from, ReplicaTarget target, long to, long length) {
        Copy copy = Copy.newBuilder()
                .setSource(source)
                .setSourceOffset(from)
                .setOffset(to)
                .setLength(length)
                .build();
        DataRequest request = to(target).setCopy(copy).build();
        return client.call(request, ReplicaRequest.Kind.REPEATABLE, config.dataDeadline())
                .thenApply(reply -> new Copied(reply.body().getPosition(), status(reply)));
    }

    /**
     * Small files, whole; an empty array for what cannot be read.
     *
     * @param files at most {@link #MOST_SMALL_FILES} clean ones, of 1 to {@link #LARGEST_SMALL_FILE} bytes each, that
     *     fit into a payload together
     * @param patience how long this is worth trying
     */
    CompletableFuture<List<byte[]>> readFiles(List<Layout> files, Duration patience) {
        ReadFiles.Builder read = ReadFiles.newBuilder();
        for (Layout file : files) {
            read.addTargets(ReplicaTargets.of(file)).addLengths((int) file.getCommittedSize());
        }
        DataRequest request = DataRequest.newBuilder().setReadFiles(read).build();
        return transfers
                .run(() -> client.attempt(request, config.dataDeadline(), patience))
                .thenApply(reply -> contents(reply, files.size()));
    }

    private static List<byte[]> contents(Message<DataReply> reply, int files) {
        try (Payload payload = reply.payload()) {
            ByteBuf rest = payload instanceof Payload.Bytes(ByteBuf bytes) ? bytes : Unpooled.EMPTY_BUFFER;
            List<Integer> lengths = reply.body().getLengthsList();
            if (lengths.size() != files
                    || lengths.stream().mapToInt(length -> Math.max(0, length)).sum() != rest.readableBytes()) {
                throw new PosixException(Errno.EIO, "the honeycomb did not answer what it was asked");
            }
            return lengths.stream()
                    .map(length -> ByteBufUtil.getBytes(rest.readSlice(Math.max(0, length))))
                    .toList();
        }
    }

    private CompletableFuture<Payload> readOnce(ReplicaTarget target, long offset, int length) {
        DataRequest request = to(target)
                .setRead(Read.newBuilder().setOffset(offset).setLength(length))
                .build();
        Patience patience = client.patience(ReplicaRequest.Kind.QUESTION);
        return transfers.run(() -> client.transfer(
                        request,
                        ReplicaRequest.Kind.QUESTION,
                        Unpooled.EMPTY_BUFFER,
                        config.dataDeadline(),
                        patience,
                        Leave.ALWAYS)
                .thenApply(Message::payload));
    }

    /**
     * The content is copied: an attempt that was given up may still wait in a socket's queue when the caller, told of
     * the failure, puts other content into its buffer.
     */
    private CompletableFuture<ReplicaStatus> writeOnce(
            ReplicaTarget target, long offset, boolean append, ByteBuf content) {
        DataRequest request = to(target)
                .setWrite(Write.newBuilder().setOffset(offset).setAppend(append))
                .build();
        ReplicaRequest.Kind kind = append ? ReplicaRequest.Kind.ONCE : ReplicaRequest.Kind.REPEATABLE;
        Patience patience = client.patience(kind);
        return transfers.run(() -> {
            ByteBuf copy = ByteBufAllocator.DEFAULT.buffer(Math.max(1, content.readableBytes()));
            copy.writeBytes(content, content.readerIndex(), content.readableBytes());
            return client.transfer(request, kind, copy, config.dataDeadline(), patience, leave)
                    .whenComplete((reply, failure) -> copy.release())
                    .thenApply(RemoteReplicas::status);
        });
    }

    private CompletableFuture<ReplicaStatus> change(
            DataRequest.Builder request, ReplicaRequest.Kind kind, Duration deadline) {
        return client.call(request.build(), kind, deadline).thenApply(RemoteReplicas::status);
    }

    private static DataRequest.Builder to(ReplicaTarget target) {
        return DataRequest.newBuilder().setTarget(target);
    }

    private static ReplicaStatus status(Message<DataReply> reply) {
        DataReply body = close(reply);
        if (body.getStatusesCount() != 1) {
            throw new PosixException(Errno.EIO, "the honeycomb did not say what the replica is like now");
        }
        return body.getStatuses(0);
    }

    private static DataReply close(Message<DataReply> reply) {
        reply.payload().close();
        return reply.body();
    }
}
