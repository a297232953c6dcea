package org.beefs.common.rpc;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.time.ManualTimers;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory for one thread: frames and closes arrive when the timers run what is due, in order. Payloads
 * arrive as heap copies, and what was sent is closed, as TCP does it.
 */
public final class MemoryNetwork implements Network {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final ManualTimers timers;
    private final Map<Integer, Function<Link, Link.Listener>> acceptors = new HashMap<>();
    private final List<MemoryLink> links = new ArrayList<>();
    private InetAddress localAddress = InetAddress.getLoopbackAddress();
    private int lastPort = 40_000;
    private int connects;
    private long rate;

    public MemoryNetwork(ManualTimers timers) {
        this.timers = timers;
    }

    /** Attempts to connect so far. */
    public int connects() {
        return connects;
    }

    /** The address that links lead from which are opened from now on. */
    public void setLocalAddress(InetAddress address) {
        localAddress = address;
    }

    /** Breaks all links, as when a cable is cut and both ends notice. */
    public void breakLinks(String reason) {
        List.copyOf(links).forEach(link -> link.end(reason));
    }

    /**
     * Makes everything that is sent disappear without a sign, as a stopped process does, until it is called with false.
     */
    public void setSilent(boolean silent) {
        links.forEach(link -> link.silent = silent);
    }

    /**
     * Bytes in a second that each link carries in each direction from now on; 0 for all at once, as in the beginning.
     */
    public void setRate(long bytesPerSecond) {
        rate = bytesPerSecond;
    }

    private long nanosFor(Frame frame) {
        return rate == 0 ? 0 : (frame.message().size() + frame.payload().length()) * NANOS_PER_SECOND / rate;
    }

    private long now() {
        return timers.clock().bootNanos();
    }

    @Override
    public CompletableFuture<Link> connect(
            InetSocketAddress address, Duration timeout, Function<Link, Link.Listener> listener) {
        connects++;
        CompletableFuture<Link> result = new CompletableFuture<>();
        timers.schedule(Duration.ZERO, () -> {
            Function<Link, Link.Listener> acceptor = acceptors.get(address.getPort());
            if (acceptor == null) {
                result.completeExceptionally(new ConnectException("nobody listens there"));
                return;
            }
            MemoryLink near = new MemoryLink("port " + address.getPort());
            MemoryLink far = new MemoryLink("client " + connects);
            near.other = far;
            far.other = near;
            far.listener = acceptor.apply(far);
            near.listener = listener.apply(near);
            result.complete(near);
        });
        return result;
    }

    @Override
    public Server listen(InetSocketAddress address, int most, Function<Link, Link.Listener> acceptor)
            throws IOException {
        int port = address.getPort() == 0 ? ++lastPort : address.getPort();
        if (acceptors.putIfAbsent(port, acceptor) != null) {
            throw new BindException("the address is taken");
        }
        InetSocketAddress bound = new InetSocketAddress(address.getAddress(), port);
        return new Server() {
            @Override
            public InetSocketAddress address() {
                return bound;
            }

            @Override
            public void refuse() {
                acceptors.remove(port);
            }

            @Override
            public void close() {
                refuse();
            }
        };
    }

    private final class MemoryLink implements Link {
        private final String peer;
        private final InetAddress local = localAddress;
        private final Queue<Frame> held = new ArrayDeque<>();
        private @Nullable MemoryLink other;
        private Link.@Nullable Listener listener;
        private boolean reading = true;
        private boolean silent;
        private boolean over;

        /** When the last of what was sent from here arrives; by the boot clock. */
        private long movesUntil = now();

        MemoryLink(String peer) {
            this.peer = peer;
            links.add(this);
        }

        @Override
        public void send(Frame frame) {
            Frame copy = copy(frame);
            frame.payload().close();
            MemoryLink to = other;
            if (!over && !silent && to != null) {
                movesUntil = Math.max(now(), movesUntil) + nanosFor(copy);
                timers.schedule(Duration.ofNanos(movesUntil - now()), () -> to.arrive(copy));
            }
        }

        @Override
        public Duration silence() {
            MemoryLink from = other;
            return from == null || now() < movesUntil
                    ? Duration.ZERO
                    : Duration.ofNanos(Math.max(0, now() - from.movesUntil));
        }

        @Override
        public void close() {
            endAt(movesUntil, "this side closed the connection");
        }

        @Override
        public void cut() {
            endAt(now(), "this side cut the connection");
        }

        private void endAt(long moment, String reason) {
            if (!over) {
                timers.schedule(Duration.ofNanos(moment - now()), () -> end(reason));
            }
        }

        @Override
        public void setReading(boolean wanted) {
            reading = wanted;
            timers.schedule(Duration.ZERO, this::deliverHeld);
        }

        @Override
        public String peer() {
            return peer;
        }

        @Override
        public InetAddress localAddress() {
            return local;
        }

        private void arrive(Frame frame) {
            held.add(frame);
            deliverHeld();
        }

        private void deliverHeld() {
            while (reading && !over && listener != null && !held.isEmpty()) {
                listener.received(held.remove());
            }
            if (listener != null && !over) {
                listener.receivedAll();
            }
        }

        private void end(String reason) {
            if (over) {
                return;
            }
            over = true;
            links.remove(this);
            MemoryLink to = other;
            if (to != null && !silent) {
                timers.schedule(Duration.ZERO, () -> to.end("the other side closed the connection"));
            }
            if (listener != null) {
                listener.closed(reason);
            }
        }
    }

    private static Frame copy(Frame frame) {
        return new Frame(frame.kind(), frame.id(), frame.message(), copy(frame.payload()), frame.request());
    }

    private static Payload copy(Payload payload) {
        if (payload.length() == 0) {
            return Payload.NONE;
        }
        return switch (payload) {
            case Payload.Bytes bytes -> new Payload.Bytes(Unpooled.copiedBuffer(bytes.buffer()));
            case Payload.FileSlice slice -> {
                ByteBuffer content = ByteBuffer.allocate(slice.length());
                try {
                    while (content.hasRemaining()
                            && slice.channel().read(content, slice.offset() + content.position()) >= 0) {}
                } catch (IOException e) {
                    throw new AssertionError("the file of a slice cannot be read", e);
                }
                yield new Payload.Bytes(Unpooled.wrappedBuffer(content.flip()));
            }
        };
    }
}
