package org.beefs.honeybee.fuse.protocol;

import java.lang.foreign.MemorySegment;

/**
 * The place that a request came from, and its answer goes to. Whoever has claimed the request writes, and then lets go.
 */
public interface Origin {
    /** Writes a message in one piece. Answers a negative errno for an answer that the kernel did not take. */
    long write(MemorySegment message, long length);

    /** As {@link #write}, with the message in several places, which are {@code struct iovec}s. */
    long writeVectors(MemorySegment vectors, int count);

    /** The request is answered, or gets no answer. */
    void release();
}
