package org.beefs.honeybee.fuse.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Payload.FileSlice;
import org.beefs.honeybee.fuse.exchange.Answer;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.RequestBuffer;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.jspecify.annotations.Nullable;

/** Hands content to the kernel, and closes it exactly once. Thread-safe. */
final class ReadAnswer implements Answer<Payload> {
    private final BufferPool buffers;

    ReadAnswer(BufferPool buffers) {
        this.buffers = buffers;
    }

    @Override
    public boolean send(Reply reply, Payload content) {
        boolean delivered = switch (content) {
            case Payload.Bytes bytes -> reply.buffer(bytes.buffer());
            case FileSlice slice -> sendSlice(reply, slice);
        };
        if (delivered) {
            content.close();
        }
        return delivered;
    }

    @Override
    public void undelivered(Payload content) {
        content.close();
    }

    @Override
    public boolean isCancellable() {
        return false;
    }

    /**
     * Sends a part of a file through a buffer of the pool, or through memory of its own when none is free: nobody waits
     * here.
     */
    private boolean sendSlice(Reply reply, FileSlice slice) {
        RequestBuffer buffer = slice.length() <= Protocol.MAX_WRITE ? buffers.takeNow() : null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = room(buffer, arena, slice.length());
            return reply.memory(memory, fill(memory.asByteBuffer(), slice));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            if (buffer != null) {
                buffers.give(buffer);
            }
        }
    }

    private static MemorySegment room(@Nullable RequestBuffer buffer, Arena arena, int length) {
        return buffer == null
                ? arena.allocate(Math.max(1, length))
                : buffer.memory().asSlice(0, length);
    }

    /** Reads into memory, and says how many bytes there were; fewer than announced when the file became shorter. */
    private static int fill(ByteBuffer memory, FileSlice slice) throws IOException {
        while (memory.hasRemaining() && slice.channel().read(memory, slice.offset() + memory.position()) > 0) {
            // on with the rest
        }
        return memory.position();
    }
}
