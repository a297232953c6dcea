package org.beefs.honeybee.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.rpc.Frame;
import org.beefs.common.wire.ReplicaStatus;

/** Pieces of content that follow one another in a file, and will be written as one. */
final class DelayedWrite {
    /** Bytes that fit into one request. */
    static final int MOST = Frame.MAX_PAYLOAD;

    final DelayedFile.Sender sender;
    final long lease;
    final CompletableFuture<ReplicaStatus> written = new CompletableFuture<>();
    private final long offset;
    private final ByteBuf content;
    private int length;
    private volatile boolean wanted = true;

    /**
     * @param first how much it will begin with
     * @param lease the write lease under which it begins
     */
    DelayedWrite(long offset, int first, DelayedFile.Sender sender, long lease) {
        this.lease = lease;
        this.offset = offset;
        this.sender = sender;
        this.content = ByteBufAllocator.DEFAULT.buffer(first, Math.max(first, MOST));
    }

    /** Whether content at that place could be added to it. */
    boolean takes(long position, int more, DelayedFile.Sender from) {
        return position == end() && length + more <= MOST && sender.equals(from);
    }

    void add(ByteBuf more) {
        content.writeBytes(more, more.readerIndex(), more.readableBytes());
        length = content.readableBytes();
    }

    boolean isFull() {
        return length >= MOST;
    }

    boolean overlaps(long position, int bytes) {
        return position < end() && offset < position + bytes;
    }

    int length() {
        return length;
    }

    /** Nothing is added any more. The content is given back when the future is done. */
    CompletableFuture<ReplicaStatus> send() {
        return Futures.attempt(() -> sender.send(offset, content, () -> wanted))
                .whenComplete((status, failure) -> content.release());
    }

    /** The write is not sent any more, neither for the first time nor again. */
    void giveUp() {
        wanted = false;
    }

    private long end() {
        return offset + length;
    }
}
