package org.beefs.simulator.world;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Payload;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two processes. Frames travel as TCP carries them: each way in order, held up while the hosts
 * are cut off from each other, and never again once one was lost. Then the link still looks whole for a while, and the
 * other way still works, until both ends hear that it is broken.
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
        client.lastArrival = now + delay;
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

    /** Whether the hosts do not reach each other. */
    boolean isSeparated() {
        return network.separated(client.process.host(), server.process.host());
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

    /** A frame was lost, which one of the ends notices some time. */
    private void tearLater() {
        network.scheduler()
                .schedule(network.random().nextLong(NetworkWeather.LATE_NANOS), () -> tear("the connection broke"));
    }

    /** Brings a delivery to an end, at once or when no cut holds it up any more; its process takes it when it can. */
    private void pass(End to, Runnable delivery) {
        Runnable inProcess = () -> {
            to.arrived.add(delivery);
            to.process.execute(0, to::takeNext);
        };
        if (isSeparated()) {
            heldUp.add(inProcess);
        } else {
            inProcess.run();
        }
    }

    private final class End implements Link {
        private final SimProcess process;
        /** What has come and was not taken yet, in order. Bounded as {@link #heldUp}. */
        private final ArrayDeque<Runnable> arrived = new ArrayDeque<>();

        private @Nullable End other;
        private Link.@Nullable Listener listener;
        /** Nothing arrives before this or at the same moment: what was sent before, or the end is not open yet. */
        private long lastArrival;

        private boolean reading = true;
        private boolean closed;
        /** Whether a frame on the way here was lost. */
        private boolean deaf;

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
            if (closed || torn || to.deaf) {
                return;
            }
            if (exposed && random.nextDouble() < weather.loss()) {
                to.deaf = true;
                tearLater();
                return;
            }
            long extra = exposed && random.nextDouble() < weather.lateness()
                    ? random.nextLong(NetworkWeather.LATE_NANOS)
                    : 0;
            travel(to, copy, extra);
        }

        @Override
        public InetAddress localAddress() {
            return process.host().address();
        }

        private void travel(End to, Frame frame, long extra) {
            SimScheduler scheduler = network.scheduler();
            long arrival = Math.max(scheduler.now() + network.delay() + extra, to.lastArrival + 1);
            to.lastArrival = arrival;
            scheduler.schedule(arrival - scheduler.now(), () -> pass(to, () -> to.receive(frame)));
        }

        /** Whichever hand-over comes first takes what came first. */
        private void takeNext() {
            if (reading && !arrived.isEmpty()) {
                arrived.remove().run();
            }
        }

        private void receive(Frame frame) {
            if (!closed && !torn && listener != null) {
                network.filter().arriving(other().process, process, frame).forEach(listener::received);
                listener.receivedAll();
            }
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closeLater(0, "closed by this side");
            network.forget(SimLink.this);
            End to = other();
            if (to.deaf) {
                return;
            }
            long arrival = Math.max(network.scheduler().now() + network.delay(), to.lastArrival + 1);
            network.scheduler()
                    .schedule(
                            arrival - network.scheduler().now(),
                            () -> pass(to, () -> to.closeLater(0, "closed by the other side")));
        }

        private void closeLater(long delay, String reason) {
            process.execute(delay, () -> {
                if (!closed) {
                    closed = true;
                    arrived.clear();
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
            while (reading && !arrived.isEmpty()) {
                takeNext();
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
        return new Frame(frame.kind(), frame.id(), frame.message(), new Payload.Bytes(copy), frame.request());
    }
}
