package org.beefs.honeycomb.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.ReadFiles;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.honeycomb.store.ReplicaStore;
import org.jspecify.annotations.Nullable;

/** Reads several small files for one answer, with the rights that each of them needs. Thread-safe. */
final class SmallFiles {
    private static final int LEFT_OUT = -1;

    private final ReplicaStore store;

    SmallFiles(ReplicaStore store) {
        this.store = store;
    }

    Message<DataReply> read(ReadFiles asked) {
        check(asked);
        DataReply.Builder reply = DataReply.newBuilder();
        List<ByteBuf> contents = new ArrayList<>();
        for (int i = 0; i < asked.getTargetsCount(); i++) {
            ByteBuf content = read(asked.getTargets(i), asked.getLengths(i));
            reply.addLengths(content == null ? LEFT_OUT : content.readableBytes());
            contents.add(content == null ? Unpooled.EMPTY_BUFFER : content);
        }
        return new Message<>(
                reply.build(), new Payload.Bytes(Unpooled.wrappedBuffer(contents.toArray(ByteBuf[]::new))));
    }

    private static void check(ReadFiles asked) {
        int files = asked.getTargetsCount();
        long size =
                asked.getLengthsList().stream().mapToLong(Integer::longValue).sum();
        if (files == 0
                || files > ReplicaAccess.MOST_SMALL_FILES
                || asked.getLengthsCount() != files
                || asked.getLengthsList().stream()
                        .anyMatch(length -> length < 1 || length > ReplicaAccess.LARGEST_SMALL_FILE)
                || size > Frame.MAX_PAYLOAD) {
            throw new PosixException(
                    Errno.EINVAL,
                    "1 to %d files of 1 to %d bytes are read at once, %d bytes of all"
                            .formatted(
                                    ReplicaAccess.MOST_SMALL_FILES,
                                    ReplicaAccess.LARGEST_SMALL_FILE,
                                    Frame.MAX_PAYLOAD));
        }
    }

    /** The content of a file; null if it cannot be read. The store reads on this thread. */
    private @Nullable ByteBuf read(ReplicaTarget target, int length) {
        CompletableFuture<Payload> read = store.read(target, 0, length);
        return !read.isCompletedExceptionally() && read.join() instanceof Payload.Bytes(ByteBuf content)
                ? content
                : null;
    }
}
