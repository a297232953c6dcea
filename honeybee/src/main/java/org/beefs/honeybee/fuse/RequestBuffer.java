package org.beefs.honeybee.fuse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;

/**
 * Room for the largest request. Belongs to a reader, to an operation that writes its content, or to the pool.
 *
 * @param memory page-aligned memory outside the heap
 */
record RequestBuffer(MemorySegment memory) {
    /** The largest WRITE with its headers, in whole pages. */
    static final long BYTES = Protocol.MAX_WRITE + 4096;

    /** What follows the header in a request of that length. */
    Body body(long requestLength) {
        return new Body(memory.asSlice(Exchange.HEADER, requestLength - Exchange.HEADER));
    }

    /** The content of a WRITE, without copying. */
    ByteBuf content(long offset, int length) {
        return Unpooled.wrappedBuffer(memory.asSlice(offset, length).asByteBuffer());
    }
}
