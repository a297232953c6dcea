package org.beefs.honeybee.fuse;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.linux.Libc;

/**
 * One descriptor of /dev/fuse. Its reader and each request read from it that is not yet answered hold it open: an answer has
 * to go back through the descriptor that the request came from, and a descriptor's number must not be reused while somebody
 * may still write to it. Thread-safe.
 */
final class Device {
    private final int descriptor;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** Takes the descriptor over; the creator is its first holder. */
    Device(int descriptor) {
        this.descriptor = descriptor;
    }

    int descriptor() {
        return descriptor;
    }

    /** Only for somebody who acts for a present holder. */
    void hold() {
        holders.incrementAndGet();
    }

    /** Closes the descriptor when nobody holds it any more. */
    void release() {
        if (holders.decrementAndGet() == 0) {
            Libc.close(descriptor);
        }
    }

    /** Waits for a request and answers its length, or a negative errno. */
    long read(MemorySegment buffer) {
        return Libc.read(descriptor, buffer, buffer.byteSize());
    }

    /** Answers a negative errno for a reply that the kernel did not take. */
    long write(MemorySegment message, long length) {
        return Libc.write(descriptor, message, length);
    }

    /** As {@link #write}, with the message in several places. */
    long writeVectors(MemorySegment vectors, int count) {
        return Libc.writev(descriptor, vectors, count);
    }
}
