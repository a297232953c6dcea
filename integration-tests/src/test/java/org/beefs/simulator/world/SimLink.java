package org.beefs.simulator.world;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Payload;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two processes. Frames travel as TCP carries them, in order and held up while the hosts are cut off
 * from each other, except for what the weather adds: it loses, repeats and delays single frames, so that deadlines, resending
 * and the answers kept for repeated requests are exercised far more often than TCP would.
 */
final class SimLink {
    private final SimNetwork network;
    private final End client;
    private final End server;
    /** Deliveries that a cut holds up, in order. At most what both ends' bounds on calls in flight allow. */
    private final ArrayDeque<Runnable> heldUp = new ArrayDeque<>();

    private boolean torn;

    SimLink(SimNetwork network, SimProcess from, SimProcess to) {
        this.network = network;
        this.client = new End(from);
        this.server = new End(to);
        client.other = server;
        server.other = client;
    }

    void open(
            Function<Link, Link.Listener> connector,
            Function<Link, Link.Listener> acceptor,
            CompletableFuture<Link> opened) {
        long delay = network.delay();
        long now = network.scheduler().now();
        server.lastArrival = now;
        server.firstArrival = now + 1;
        client.lastArrival = now + delay;
        client.firstArrival = now + delay + 1;
        server.process.execute(0, () -> server.begin(acceptor));
        client.process.execute(delay, () -> {
            client.begin(connector);
            opened.complete(client);
        });
    }

    boolean acceptedBy(SimProcess process) {
        return server.process == process;
    }

    boolean touches(SimProcess process) {
        return client.process == process || server.process == process;
    }

    /** Both ends hear at some time that the connection is gone. What is under way may be lost. */
    void tear(String reason) {
        torn = true;
        client.closeLater(network.delay(), reason);
        server.closeLater(network.delay(), reason);
        network.forget(this);
    }

    /** The living end hears of it, once it can. */
    void endDied() {
        End living = client.process.alive() ? client : server;
        pass(living, () -> living.closeLater(0, "the other side is gone"));
        network.forget(this);
    }

    /** The hosts reach each other again: the link is broken, or what was held up arrives. */
    void healed(boolean broken) {
        if (broken && !heldUp.isEmpty()) {
            heldUp.clear();
            tear("the connection timed out");
            return;
        }
        while (!heldUp.isEmpty()) {
            heldUp.remove().run();
        }
    }

    /** Runs a delivery to an end in its process, at once or when no cut holds it up any more. */
    private void pass(End to, Runnable delivery) {
        Runnable inProcess = () -> to.process.execute(0, delivery);
        if (network.separated(client.process.host(), server.process.host())) {
            heldUp.add(inProcess);
        } else {
            inProcess.run();
        }
    }

    private final class End implements Link {
        private final SimProcess process;
        private final ArrayDeque<Frame> unread = new ArrayDeque<>();
        private @Nullable End other;
        private Link.@Nullable Listener listener;
        private long lastArrival;
        /** Nothing arrives before this: the end is not open yet, or the greeting is still under way. */
        private long firstArrival;

        private boolean reading = true;
        private boolean closed;

        End(SimProcess process) {
            this.process = process;
        }

        void begin(Function<Link, Link.Listener> made) {
            listener = made.apply(this);
        }

        @Override
        public void send(Frame frame) {
            End to = other();
            Frame copy = copied(frame);
            frame.payload().close();
            RandomGenerator random = network.random();
            NetworkWeather weather = network.weather();
            boolean exposed = frame.kind() != Frame.Kind.HELLO && frame.kind() != Frame.Kind.REFUSAL;
            if (closed || torn || (exposed && random.nextDouble() < weather.loss())) {
                return;
            }
            long extra = exposed && random.nextDouble() < weather.lateness()
                    ? random.nextLong(NetworkWeather.LATE_NANOS)
                    : 0;
            travel(to, copy, extra, exposed);
            if (exposed && random.nextDouble() < weather.repetition()) {
                travel(to, copied(copy), random.nextLong(NetworkWeather.LATE_NANOS), true);
            }
        }

        private void travel(End to, Frame frame, long extra, boolean overtaking) {
            SimScheduler scheduler = network.scheduler();
            long arrival = scheduler.now() + network.delay() + extra;
            if (!(overtaking && network.weather().reordering())) {
                arrival = Math.max(arrival, to.lastArrival + 1);
                to.lastArrival = arrival;
            }
            arrival = Math.max(arrival, to.firstArrival);
            if (frame.kind() == Frame.Kind.HELLO) {
                to.firstArrival = arrival + 1;
            }
            scheduler.schedule(arrival - scheduler.now(), () -> pass(to, () -> to.arrived(frame)));
        }

        private void arrived(Frame frame) {
            if (closed || torn || listener == null) {
                return;
            }
            if (reading) {
                network.filter().arriving(other().process, process, frame).forEach(listener::received);
            } else {
                unread.add(frame);
            }
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closeLater(0, "closed by this side");
            End to = other();
            long arrival = Math.max(network.scheduler().now() + network.delay(), to.lastArrival + 1);
            network.scheduler()
                    .schedule(
                            arrival - network.scheduler().now(),
                            () -> pass(to, () -> to.closeLater(0, "closed by the other side")));
            network.forget(SimLink.this);
        }

        private void closeLater(long delay, String reason) {
            process.execute(delay, () -> {
                if (!closed) {
                    closed = true;
                    unread.clear();
                    if (listener != null) {
                        listener.closed(reason);
                    }
                }
            });
        }

        @Override
        public void setReading(boolean reading) {
            this.reading = reading;
            process.execute(0, this::readOn);
        }

        private void readOn() {
            while (reading && !unread.isEmpty()) {
                arrived(unread.remove());
            }
        }

        @Override
        public String peer() {
            return other().process.toString();
        }

        private End other() {
            if (other == null) {
                throw new IllegalStateException("the link is not complete");
            }
            return other;
        }
    }

    /** The frame with its content copied, as it is on a wire. */
    private static Frame copied(Frame frame) {
        if (!(frame.payload() instanceof Payload.Bytes bytes)) {
            throw new IllegalStateException("the simulator has no files to send from");
        }
        ByteBuf copy = Unpooled.copiedBuffer(bytes.buffer());
        if (copy.readableBytes() > Frame.MAX_PAYLOAD || frame.message().size() > Frame.MAX_MESSAGE) {
            throw new IllegalStateException("a frame above the bounds: " + frame.kind());
        }
        return new Frame(frame.kind(), frame.id(), frame.message(), new Payload.Bytes(copy));
    }
}
