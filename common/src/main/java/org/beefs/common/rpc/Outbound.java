package org.beefs.common.rpc;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The frames of one link that wait to be sent. Thread-safe. One task of the event loop writes all that came since the last
 * one and flushes once, so that frames sent together leave together and none waits for others.
 *
 * <p>Bounds: above {@link Link#CONGESTED_BYTES} the link asks for no more requests; above {@link #MAX_BYTES} it fails. Bytes are
 * those in memory: a slice of a file counts nothing, and its number is bounded by the requests under way.
 */
final class Outbound {
    static final long MAX_BYTES = 2 * Link.CONGESTED_BYTES;

    private final Channel channel;
    private final Consumer<String> failure;
    private final Queue<Frame> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean closed;

    /** The consumer hears why the link must be closed, on any thread. */
    Outbound(Channel channel, Consumer<String> failure) {
        this.channel = channel;
        this.failure = failure;
    }

    boolean isCongested() {
        return bytes.get() > Link.CONGESTED_BYTES;
    }

    void send(Frame frame) {
        long size = sizeInMemory(frame);
        if (bytes.addAndGet(size) > MAX_BYTES) {
            drop(frame, size);
            failure.accept(
                    "the other side reads too slowly: more than %d MiB wait to be sent".formatted(MAX_BYTES >> 20));
            return;
        }
        queue.add(frame);
        if (scheduled.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(this::write);
            } catch (RejectedExecutionException e) { // the network was closed
                discard();
            }
        }
    }

    /** Event loop only: takes no more frames; done when all that came before are sent. */
    ChannelFuture finish() {
        write();
        closed = true;
        return channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
    }

    /** Takes no more frames, and drops those that wait. */
    void discard() {
        closed = true;
        for (Frame frame = queue.poll(); frame != null; frame = queue.poll()) {
            drop(frame, sizeInMemory(frame));
        }
    }

    private void write() {
        scheduled.set(false); // before the queue is looked at: a frame that comes later schedules again
        if (closed) {
            discard();
            return;
        }
        for (Frame frame = queue.poll(); frame != null; frame = queue.poll()) {
            long size = sizeInMemory(frame);
            channel.write(frame).addListener(written -> {
                bytes.addAndGet(-size);
                if (!written.isSuccess()) {
                    failure.accept(String.valueOf(written.cause().getMessage()));
                }
            });
        }
        channel.flush();
    }

    private void drop(Frame frame, long size) {
        bytes.addAndGet(-size);
        frame.payload().close();
    }

    private static long sizeInMemory(Frame frame) {
        long payload = frame.payload() instanceof Payload.Bytes bytes ? bytes.length() : 0;
        return FrameHeader.LENGTH + frame.message().size() + payload;
    }
}
