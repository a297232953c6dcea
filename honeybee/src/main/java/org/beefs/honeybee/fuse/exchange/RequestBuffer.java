package org.beefs.honeybee.fuse.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import org.beefs.common.linux.PageMemory;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.Protocol;

/**
 * A request, or room for the largest one. Belongs to a reader, to an operation that writes its content, or to the pool;
 * or it is part of a ring's entry.
 *
 * @param memory outside the heap
 * @param isPooled whether it is a pool's, with room for every request
 */
public record RequestBuffer(MemorySegment memory, boolean isPooled) {
    /** The largest WRITE and a page for its headers, so that no two buffers of a pool share a page. */
    static final long BYTES = Protocol.MAX_WRITE + (long) PageMemory.PAGE;

    /** A buffer for one request, which no pool has room for; it goes with that. */
    static RequestBuffer ofItsOwn(long length) {
        return new RequestBuffer(PageMemory.allocate(length), false);
    }

    public int opcode() {
        return memory.get(JAVA_INT_UNALIGNED, 4);
    }

    /** The bytes that follow the header in a request of that length. */
    public Body body(long requestLength) {
        return new Body(memory.asSlice(Exchange.HEADER, requestLength - Exchange.HEADER));
    }

    /** The content of a WRITE, without copying. */
    public ByteBuf content(long offset, int length) {
        return Unpooled.wrappedBuffer(memory.asSlice(offset, length).asByteBuffer());
    }
}
