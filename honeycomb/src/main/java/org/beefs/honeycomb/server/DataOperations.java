package org.beefs.honeycomb.server;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Allocate;
import org.beefs.common.wire.Copy;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.InspectedReplicas;
import org.beefs.common.wire.Read;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Write;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.records.RecordKeeper;
import org.beefs.honeycomb.store.ReplicaStore;
import org.beefs.honeycomb.store.content.Checksums;
import org.jspecify.annotations.Nullable;

/** Translates messages into calls of the store, and results back. Thread-safe. */
final class DataOperations {
    /** How long somebody who asks for admission waits; less than he waits for an answer. */
    private static final Duration ADMISSION = Duration.ofSeconds(2);

    private static final long MOST_ADMITTED = 16 << 20;

    private final ReplicaStore store;
    private final SmallFiles files;
    private final RecordKeeper records;
    private final Pace pace;

    /** @param pace at which others may copy from here in the background */
    DataOperations(ReplicaStore store, RecordKeeper records, Pace pace) {
        this.store = store;
        this.files = new SmallFiles(store);
        this.records = records;
        this.pace = pace;
    }

    /** Whether a request changes something, so that it must carry a sequence. */
    static boolean changes(DataRequest request) {
        return switch (request.getOperationCase()) {
            case WRITE, TRUNCATE, ALLOCATE, SET_TIMES, COPY -> true;
            case READ, READ_FILES, SYNC, GET_STATUSES, SEEK, GET_CHECKSUMS, ADMIT_COPY -> false;
            case GET_RECORDS, INSPECT_REPLICAS, OPERATION_NOT_SET -> false;
        };
    }

    /** Bytes of content that the answer may have. */
    static int mostContent(DataRequest request) {
        long most = request.hasRead()
                ? request.getRead().getLength()
                : request.getReadFiles().getLengthsList().stream()
                        .mapToLong(Integer::longValue)
                        .sum();
        return Math.clamp(most, 0, Frame.MAX_PAYLOAD);
    }

    /** The answer to a read that takes no waiting; null when it does, or may. Fails by throwing. */
    @Nullable
    Message<DataReply> readAtHand(ReplicaTarget target, Read read) {
        Payload content = read.getChecksum() ? null : store.readAtHand(target, read.getOffset(), read.getLength());
        return content == null ? null : new Message<>(DataReply.getDefaultInstance(), content);
    }

    /** Carries a request out. Its content stays the caller's, to be closed when the future is done. */
    CompletableFuture<Message<DataReply>> run(Message<DataRequest> request) {
        DataRequest body = request.body();
        ReplicaTarget target = body.getTarget();
        return switch (body.getOperationCase()) {
            case READ -> read(target, body.getRead());
            case READ_FILES -> CompletableFuture.completedFuture(files.read(body.getReadFiles()));
            case GET_CHECKSUMS ->
                store.checksums(
                                target,
                                body.getGetChecksums().getOffset(),
                                body.getGetChecksums().getBlocks())
                        .thenApply(checksums ->
                                message(DataReply.newBuilder().setChecksums(ByteString.copyFrom(checksums))));
            case WRITE -> write(target, body.getWrite(), request.payload());
            case TRUNCATE -> reply(store.truncate(target, body.getTruncate().getSize()));
            case ALLOCATE -> reply(allocate(target, body.getAllocate()));
            case SET_TIMES -> reply(store.setTimes(target, body.getSetTimes()));
            case SYNC ->
                reply(
                        body.getSync().getSteadyMillis() != 0
                                ? store.steady(
                                        target, Duration.ofMillis(body.getSync().getSteadyMillis()))
                                : store.sync(target, body.getSync().getDataOnly()));
            case GET_STATUSES ->
                store.statuses(body.getGetStatuses().getTargetsList())
                        .thenApply(statuses -> message(DataReply.newBuilder().addAllStatuses(statuses)));
            case SEEK ->
                store.seek(target, body.getSeek().getOffset(), body.getSeek().getHole())
                        .thenApply(position -> message(DataReply.newBuilder().setPosition(position)));
            case COPY -> copy(target, body.getCopy());
            case ADMIT_COPY -> admitCopy(body.getAdmitCopy().getBytes());
            case GET_RECORDS ->
                CompletableFuture.completedFuture(message(DataReply.newBuilder()
                        .setRecords(records.page(
                                body.getGetRecords().getFrom(),
                                body.getGetRecords().getBytes()))));
            case INSPECT_REPLICAS ->
                store.inspect(body.getInspectReplicas())
                        .thenApply(looks -> message(DataReply.newBuilder()
                                .setInspectedReplicas(
                                        InspectedReplicas.newBuilder().addAllLooks(looks))));
            case OPERATION_NOT_SET ->
                CompletableFuture.failedFuture(
                        new PosixException(Errno.EOPNOTSUPP, "this honeycomb does not know what was asked"));
        };
    }

    private CompletableFuture<Message<DataReply>> read(ReplicaTarget target, Read read) {
        if (!read.getChecksum()) {
            return store.readForSending(target, read.getOffset(), read.getLength())
                    .thenApply(content -> new Message<>(DataReply.getDefaultInstance(), content));
        }
        return store.read(target, read.getOffset(), read.getLength())
                .thenApply(content -> new Message<>(
                        DataReply.newBuilder().setChecksum(checksum(content)).build(), content));
    }

    private CompletableFuture<Message<DataReply>> admitCopy(long bytes) {
        if (bytes < 0 || bytes > MOST_ADMITTED) {
            return CompletableFuture.failedFuture(
                    new PosixException(Errno.EINVAL, "at most %d bytes are admitted at once".formatted(MOST_ADMITTED)));
        }
        return pace.admitWithin(bytes, ADMISSION)
                .thenApply(admitted -> message(DataReply.newBuilder().setAdmitted(admitted)));
    }

    private static int checksum(Payload content) {
        return content instanceof Payload.Bytes(ByteBuf bytes) ? Checksums.of(bytes) : 0;
    }

    private CompletableFuture<Message<DataReply>> write(ReplicaTarget target, Write write, Payload payload) {
        if (!(payload instanceof Payload.Bytes(ByteBuf content))) {
            return Futures.failed(Errno.EINVAL, "content must be in memory");
        }
        return reply(store.write(target, write.getOffset(), write.getAppend(), content));
    }

    private CompletableFuture<ReplicaStatus> allocate(ReplicaTarget target, Allocate allocate) {
        return store.allocate(target, allocate.getMode(), allocate.getOffset(), allocate.getLength());
    }

    private CompletableFuture<Message<DataReply>> copy(ReplicaTarget target, Copy copy) {
        return store.copy(copy.getSource(), copy.getSourceOffset(), target, copy.getOffset(), copy.getLength())
                .thenApply(copied -> message(
                        DataReply.newBuilder().addStatuses(copied.status()).setPosition(copied.bytes())));
    }

    private static CompletableFuture<Message<DataReply>> reply(CompletableFuture<ReplicaStatus> done) {
        return done.thenApply(status -> message(DataReply.newBuilder().addStatuses(status)));
    }

    private static Message<DataReply> message(DataReply.Builder reply) {
        return new Message<>(reply.build(), Payload.NONE);
    }
}
