package org.beefs.common.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Payload;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one link that wait to be sent, in order. Thread-safe. A thread other than the event loop sends what
 * waits by itself; what the event loop sends leaves by one of its tasks, with all that came since the last one. What
 * the socket does not take at once goes through the channel. So frames that come together leave together, and none
 * waits for others, unless it may.
 *
 * <p>Bounds: above {@link Link#CONGESTED_BYTES} the link asks for no more requests; above {@link #MAX_BYTES} it fails.
 * Bytes are those in memory: a slice of a file counts nothing, and its number is bounded by the requests under way.
 */
final class Outbound {
    static final long MAX_BYTES = 2 * Link.CONGESTED_BYTES;

    private final Channel channel;
    private final @Nullable FrameMac mac;
    private final Consumer<String> failure;
    private final Queue<Frame> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicBoolean unhurried = new AtomicBoolean();

    /** What the channel was given and has not sent yet. Until the channel has, nobody may send past it. */
    private final AtomicInteger inChannel = new AtomicInteger();

    /**
     * Held by the thread that takes frames out of the queue. It looks at the queue once more afterwards: no other waits
     * for the lock to do so.
     */
    private final ReentrantLock taking = new ReentrantLock();

    /** Guarded by the lock. */
    private @Nullable DirectSocket direct;

    /**
     * The rest of what was sent past the channel, which the socket did not take. It goes first. Written under the lock.
     */
    private volatile @Nullable Unsent rest;

    private volatile boolean closed;

    /** Something for the channel, and what it counts in {@link #bytes}. */
    private record Unsent(Object content, long size) {}

    /**
     * Frames go past the channel, or through it, but never both at a time; so both may use the same code.
     *
     * @param mac of what is sent, in a hive with a key
     * @param failure hears why the link must be closed, on any thread
     */
    Outbound(Channel channel, @Nullable FrameMac mac, Consumer<String> failure) {
        this.channel = channel;
        this.mac = mac;
        this.failure = failure;
    }

    /** The channel is connected. */
    void open() {
        taking.lock();
        try {
            direct = DirectSocket.of(channel, mac);
        } finally {
            taking.unlock();
        }
    }

    boolean isCongested() {
        return bytes.get() > Link.CONGESTED_BYTES;
    }

    void send(Frame frame) {
        if (add(frame) && (channel.eventLoop().inEventLoop() || !sendDirectly())) {
            schedule();
        }
    }

    /** Sends a frame with the next one, or when the time of the first unhurried one that waits is over. */
    void sendUnhurried(Frame frame) {
        if (add(frame) && unhurried.compareAndSet(false, true)) {
            unlessClosed(() ->
                    channel.eventLoop().schedule(this::writeUnhurried, Link.UNHURRIED_MILLIS, TimeUnit.MILLISECONDS));
        }
    }

    /** Event loop only: takes no more frames; done when all that came before are sent. */
    ChannelFuture finish() {
        writeThroughChannel();
        discard(); // what has come since
        return channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
    }

    /** Takes no more frames, and drops those that wait. */
    void discard() {
        end();
        for (Frame frame = queue.poll(); frame != null; frame = queue.poll()) {
            drop(frame, sizeInMemory(frame));
        }
    }

    private boolean add(Frame frame) {
        long size = sizeInMemory(frame);
        if (bytes.addAndGet(size) > MAX_BYTES) {
            drop(frame, size);
            end(); // before another thread's frame leaves without this one
            failure.accept(
                    "the other side reads too slowly: more than %d MiB wait to be sent".formatted(MAX_BYTES >> 20));
            return false;
        }
        queue.add(frame);
        return true;
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            unlessClosed(() -> channel.eventLoop().execute(this::write));
        }
    }

    private void unlessClosed(Runnable scheduling) {
        try {
            scheduling.run();
        } catch (RejectedExecutionException e) { // the network was closed
            discard();
        }
    }

    /** Whether the event loop need not look: all was sent, or whoever is sending will look. */
    private boolean sendDirectly() {
        while (rest != null || !queue.isEmpty()) {
            if (!taking.tryLock()) {
                return true;
            }
            try {
                if (!takeDirectly()) {
                    return false;
                }
            } finally {
                taking.unlock();
            }
        }
        return true;
    }

    /** Whether some of what waits was sent, all of it past the channel. */
    private boolean takeDirectly() {
        if (direct == null || rest != null || inChannel.get() > 0) {
            return false;
        }
        long taken = 0;
        for (Frame frame = queue.peek(); frame != null; frame = queue.peek()) {
            long size = sizeInMemory(frame);
            if (!direct.add(frame)) {
                break;
            }
            queue.remove();
            taken += size;
        }
        return taken > 0 && flush(direct, taken);
    }

    private boolean flush(DirectSocket socket, long size) {
        try {
            ByteBuf left = socket.flush();
            if (left != null) {
                rest = new Unsent(left, size);
                return false;
            }
        } catch (IOException e) {
            failure.accept(e.getMessage());
        }
        bytes.addAndGet(-size);
        return true;
    }

    private void writeUnhurried() {
        unhurried.set(false); // before the queue is looked at, as below
        if (!queue.isEmpty()) {
            write();
        }
    }

    private void write() {
        scheduled.set(false); // before the queue is looked at: a frame that comes later schedules again
        if (closed) {
            discard();
        } else if (!sendDirectly()) {
            writeThroughChannel();
        }
    }

    private void writeThroughChannel() {
        do {
            takeForChannel().forEach(this::give);
        } while (!queue.isEmpty()); // whoever found the lock held meanwhile counts on this look
        channel.flush();
    }

    private List<Unsent> takeForChannel() {
        List<Unsent> taken = new ArrayList<>();
        taking.lock();
        try {
            Unsent first = rest;
            if (first != null) {
                taken.add(first);
                rest = null;
            }
            for (Frame frame = queue.poll(); frame != null; frame = queue.poll()) {
                taken.add(new Unsent(frame, sizeInMemory(frame)));
            }
            inChannel.addAndGet(taken.size());
        } finally {
            taking.unlock();
        }
        return taken;
    }

    private void give(Unsent unsent) {
        channel.write(unsent.content()).addListener(written -> {
            inChannel.decrementAndGet();
            bytes.addAndGet(-unsent.size());
            if (!written.isSuccess()) {
                failure.accept(String.valueOf(written.cause().getMessage()));
            }
        });
    }

    private void end() {
        taking.lock();
        try {
            closed = true;
            if (direct != null) {
                direct.close();
                direct = null;
            }
            Unsent unsent = rest;
            if (unsent != null) {
                ReferenceCountUtil.release(unsent.content());
                rest = null;
            }
        } finally {
            taking.unlock();
        }
    }

    private void drop(Frame frame, long size) {
        bytes.addAndGet(-size);
        frame.payload().close();
    }

    private static long sizeInMemory(Frame frame) {
        long payload = frame.payload() instanceof Payload.Bytes bytes ? bytes.length() : 0;
        return FrameHeader.lengthOf(frame) + frame.message().size() + payload;
    }
}
