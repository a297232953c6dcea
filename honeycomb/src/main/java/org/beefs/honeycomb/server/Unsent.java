package org.beefs.honeycomb.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.DataReply;

/**
 * Counts what was read for one connection and is not sent yet. Thread-safe. A connection may have only a part of what
 * is left for all: so slow ones, however many they are, leave something for the others.
 */
final class Unsent {
    /** With nobody else there is room for the 16 largest reads that a desktop asks of one honeycomb at a time. */
    private static final int PART_OF_WHAT_IS_LEFT = 4;

    private final Backlog all;
    private final AtomicLong own = new AtomicLong();

    /** @param all what was read for all connections and is not sent yet */
    Unsent(Backlog all) {
        this.all = all;
    }

    /**
     * Does what is asked if there is room for the answer; fails with EAGAIN when there is none. The answer's content
     * counts until it is closed, but not a slice of a file, which takes no memory.
     *
     * @param most bytes that the answer may have
     */
    CompletableFuture<Message<DataReply>> answer(int most, Supplier<CompletableFuture<Message<DataReply>>> work) {
        if (!admit(most)) {
            return Futures.failed(Errno.EAGAIN, "too much content waits to be sent");
        }
        return Futures.attempt(work)
                .whenComplete((reply, _) -> done(reply == null ? most : most - inMemory(reply)))
                .thenApply(this::counted);
    }

    private boolean admit(int bytes) {
        if (bytes == 0 || (own.addAndGet(bytes) <= all.left() / PART_OF_WHAT_IS_LEFT && all.admit(bytes))) {
            return true;
        }
        own.addAndGet(-bytes);
        return false;
    }

    private void done(int bytes) {
        all.done(bytes);
        own.addAndGet(-bytes);
    }

    private Message<DataReply> counted(Message<DataReply> reply) {
        int bytes = inMemory(reply);
        return bytes > 0 && reply.payload() instanceof Payload.Bytes(ByteBuf content)
                ? new Message<>(reply.body(), new Payload.Bytes(new Counted(content, bytes)))
                : reply;
    }

    private static int inMemory(Message<DataReply> reply) {
        return reply.payload() instanceof Payload.Bytes content ? content.length() : 0;
    }

    /** Content that tells when it was released. */
    private final class Counted extends CompositeByteBuf {
        private final int bytes;

        Counted(ByteBuf content, int bytes) {
            super(content.alloc(), content.isDirect(), 1);
            this.bytes = bytes;
            addComponent(true, content);
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            done(bytes);
        }
    }
}
