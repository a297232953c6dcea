package org.beefs.common.rpc.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.beefs.common.rpc.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Places for the connections that others open to one server. Who has not greeted yet may be anybody: a host has few
 * places for such connections, and none of them takes a place from who has greeted. When a host's places are taken, or
 * those of all hosts, a newcomer gets the place of the connection that has kept silent longest, as greeting takes only
 * a moment: so silent connections shut nobody out, whether they come from many hosts or from one that others use too.
 * Thread-safe.
 */
final class Admissions {
    /**
     * Connections that have not greeted; each holds {@link FrameDecoder#MAX_GREETING} bytes at most of what it has
     * received, and {@link DirectSocket#MAX_BYTES} for what is sent.
     */
    static final int MAX_UNGREETED = 1024;

    /** Connections from one address that have not greeted. */
    static final int MAX_UNGREETED_OF_ADDRESS = 64;

    private final int most;
    private final Duration patience;
    private final Consumer<String> refusals;

    /** By address, in the order in which they came. Guarded by this, as what follows. */
    private final Map<InetAddress, Set<Place>> ungreeted = new LinkedHashMap<>();

    private int allUngreeted;
    private int greeted;

    /**
     * @param most connections that have greeted
     * @param patience how long who has connected may take to greet
     * @param refusals hears what people should know of who was not let in
     */
    Admissions(int most, Duration patience, Consumer<String> refusals) {
        this.most = most;
        this.patience = patience;
        this.refusals = refusals;
    }

    /**
     * Gives a connection a place until it ends, unless it has not greeted in time, or others come; null where it has
     * gone already. The handler comes behind the one that makes frames.
     */
    @Nullable
    ChannelHandler accept(SocketChannel channel) {
        InetSocketAddress remote = channel.remoteAddress();
        if (remote == null) {
            channel.close();
            return null;
        }
        return accept(channel, remote.getAddress());
    }

    ChannelHandler accept(Channel channel, InetAddress from) {
        Place place = new Place(channel, from);
        Place former = enter(place);
        if (former != null) {
            refusals.accept("closing a connection that has not greeted: too many have not, the eldest one from "
                    + former.from.getHostAddress());
            former.channel.close();
        }
        place.open();
        return place;
    }

    /** Gives it a place among those who have not greeted, and answers whose that was. */
    private synchronized @Nullable Place enter(Place place) {
        Place former = inTheWayOf(place);
        if (former != null) {
            leaveUngreeted(former);
        }
        ungreeted.computeIfAbsent(place.from, _ -> new LinkedHashSet<>()).add(place);
        allUngreeted++;
        return former;
    }

    /**
     * The place that has to go for a newcomer: the eldest of its address, or of the address that most come from; null
     * when there is room.
     */
    private @Nullable Place inTheWayOf(Place newcomer) {
        Set<Place> sameHosts = ungreeted.getOrDefault(newcomer.from, Set.of());
        if (sameHosts.size() >= MAX_UNGREETED_OF_ADDRESS) {
            return eldest(sameHosts);
        }
        return allUngreeted < MAX_UNGREETED
                ? null
                : eldest(ungreeted.values().stream()
                        .max(Comparator.comparingInt(Set::size))
                        .orElseThrow());
    }

    private static Place eldest(Set<Place> places) {
        return places.iterator().next();
    }

    /** Whether there is a place for one more connection that has greeted, which then leaves its former place. */
    private synchronized boolean admit(Place place) {
        if (greeted >= most || !leaveUngreeted(place)) {
            return false;
        }
        greeted++;
        return true;
    }

    /** False when somebody else has its place already. */
    private synchronized boolean leaveUngreeted(Place place) {
        Set<Place> sameHosts = ungreeted.getOrDefault(place.from, Set.of());
        if (!sameHosts.remove(place)) {
            return false;
        }
        if (sameHosts.isEmpty()) {
            ungreeted.remove(place.from);
        }
        allUngreeted--;
        return true;
    }

    private synchronized void leaveGreeted() {
        greeted--;
    }

    /** The place of one connection. For its event loop. */
    private final class Place extends ChannelInboundHandlerAdapter {
        private final Channel channel;
        private final InetAddress from;
        private boolean admitted;
        private @Nullable Future<?> end;

        Place(Channel channel, InetAddress from) {
            this.channel = channel;
            this.from = from;
        }

        void open() {
            end = channel.eventLoop().schedule(this::giveUp, patience.toMillis(), TimeUnit.MILLISECONDS);
            channel.closeFuture().addListener(_ -> leave());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object frame) {
            if (admitted || admit(this)) {
                admitted = true;
                stopTimer();
                context.fireChannelRead(frame);
            } else {
                ((Frame) frame).payload().close();
                refusals.accept("closing a connection at once: %d are open already".formatted(most));
                context.close();
            }
        }

        private void giveUp() {
            channel.close();
        }

        private void leave() {
            stopTimer();
            if (admitted) {
                leaveGreeted();
            } else {
                leaveUngreeted(this);
            }
        }

        /** The timer would keep the connection's objects in memory, also when it is gone. */
        private void stopTimer() {
            if (end != null) {
                end.cancel(false);
                end = null;
            }
        }
    }
}
