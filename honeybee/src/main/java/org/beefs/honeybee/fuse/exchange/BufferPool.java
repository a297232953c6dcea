package org.beefs.honeybee.fuse.exchange;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.beefs.common.linux.PageMemory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buffers that requests are read into: a fixed number, so that content on its way to honeycombs has a bound. When
 * all are in use, readers wait, and with them the kernel's callers. A few free ones keep their pages; those of the
 * others go back to the system, so that an idle mount holds little memory. Thread-safe.
 */
public final class BufferPool {
    private static final Logger LOG = LoggerFactory.getLogger(BufferPool.class);

    /** How many free buffers keep their pages. */
    private static final int WARM = 8;

    private final Semaphore permits;
    private final LinkedBlockingDeque<RequestBuffer> warm = new LinkedBlockingDeque<>(WARM);
    private final ConcurrentLinkedQueue<RequestBuffer> cold = new ConcurrentLinkedQueue<>();

    public BufferPool(int buffers) {
        MemorySegment memory = PageMemory.allocate(buffers * RequestBuffer.BYTES);
        for (int i = 0; i < buffers; i++) {
            cold.add(new RequestBuffer(memory.asSlice(i * RequestBuffer.BYTES, RequestBuffer.BYTES), true));
        }
        permits = new Semaphore(buffers);
    }

    /**
     * A free buffer, for a thread that takes requests from the kernel; null when the mount has ended. While all buffers
     * are in use such threads do not read the kernel's interrupts, so callers that are being killed are looked for.
     */
    @Nullable
    public RequestBuffer await(Connection connection) {
        while (!connection.hasEnded()) {
            try {
                RequestBuffer buffer = take(Interrupts.LOOK_AGAIN);
                if (buffer != null) {
                    return buffer;
                }
            } catch (InterruptedException ignored) {
                // Nobody stops readers like this: the kernel does, when the mount ends.
                LOG.debug("a reader of the mount was interrupted and goes on");
            }
            connection.interrupts().sweep();
        }
        return null;
    }

    /** A free buffer; null when there was none for so long. */
    @Nullable
    RequestBuffer take(Duration patience) throws InterruptedException {
        return permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS) ? next() : null;
    }

    /** A free buffer; null when there is none now. */
    @Nullable
    public RequestBuffer takeNow() {
        return permits.tryAcquire() ? next() : null;
    }

    /**
     * A buffer for a request of that length, now: memory of its own when none is free; null when the system has none
     * left either.
     */
    @Nullable
    public RequestBuffer takeNow(long length) {
        RequestBuffer pooled = takeNow();
        try {
            return pooled == null ? RequestBuffer.ofItsOwn(length) : pooled;
        } catch (OutOfMemoryError none) {
            return null;
        }
    }

    /** Takes a buffer back. Of one that is no pool's only the pages are given back: the collector takes its time. */
    public void give(RequestBuffer buffer) {
        if (!buffer.isPooled()) {
            PageMemory.discard(buffer.memory());
            return;
        }
        if (!warm.offerFirst(buffer)) {
            PageMemory.discard(buffer.memory());
            cold.add(buffer);
        }
        permits.release();
    }

    /** How many buffers are free; for tests. */
    int free() {
        return permits.availablePermits();
    }

    /** A buffer is given before its permit is, so whoever has a permit finds one. */
    private RequestBuffer next() {
        RequestBuffer buffer = warm.pollFirst();
        while (buffer == null) {
            buffer = cold.poll();
            if (buffer == null) {
                buffer = warm.pollFirst();
            }
        }
        return buffer;
    }
}
