package org.beefs.common.rpc.tcp;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.beefs.common.rpc.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Places for the connections that others open to one server. Who has not greeted yet may be anybody: a host has few
 * places for such connections, and none of them takes a place from who has greeted. Thread-safe.
 */
final class Admissions {
    /** Connections that have not greeted; each holds {@link FrameDecoder#MAX_GREETING} bytes at most. */
    static final int MAX_UNGREETED = 1024;

    /** Those of them that come from one address. */
    static final int MAX_UNGREETED_OF_ADDRESS = 64;

    private final int most;
    private final Duration patience;
    private final Consumer<String> refusals;

    // Guarded by this.
    private final Map<InetAddress, Integer> ungreeted = new HashMap<>();
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

    /** Whether there is a place for one more that has not greeted; it has it then. */
    synchronized boolean enter(InetAddress from) {
        int others = ungreeted.getOrDefault(from, 0);
        if (others >= MAX_UNGREETED_OF_ADDRESS || allUngreeted >= MAX_UNGREETED) {
            return false;
        }
        ungreeted.put(from, others + 1);
        allUngreeted++;
        return true;
    }

    /** Whether there is a place for one more that has greeted; it leaves its former place for it then. */
    synchronized boolean admit(InetAddress from) {
        if (greeted >= most) {
            return false;
        }
        leaveUngreeted(from);
        greeted++;
        return true;
    }

    /** It has gone without a greeting, or without a place for those who have greeted. */
    synchronized void leaveUngreeted(InetAddress from) {
        ungreeted.computeIfPresent(from, (_, number) -> number == 1 ? null : number - 1);
        allUngreeted--;
    }

    synchronized void leaveGreeted() {
        greeted--;
    }

    /**
     * Gives a connection a place until it ends, unless it has not greeted in time; null, and closes it, where there is
     * none. The handler comes behind the one that makes frames.
     */
    @Nullable
    ChannelHandler accept(SocketChannel channel) {
        InetSocketAddress remote = channel.remoteAddress();
        if (remote == null) { // it has gone again already
            channel.close();
            return null;
        }
        InetAddress from = remote.getAddress();
        if (!enter(from)) {
            refusals.accept("closing a connection at once: too many have not greeted yet, the last one from "
                    + from.getHostAddress());
            channel.close();
            return null;
        }
        return new Place(channel, from);
    }

    /** The place of one connection. For its event loop. */
    private final class Place extends ChannelInboundHandlerAdapter {
        private final InetAddress from;
        private boolean admitted;

        Place(SocketChannel channel, InetAddress from) {
            this.from = from;
            channel.closeFuture().addListener(_ -> leave());
            channel.eventLoop().schedule(() -> endUnlessAdmitted(channel), patience.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object frame) {
            if (admitted || admit(from)) {
                admitted = true;
                context.fireChannelRead(frame);
            } else {
                ((Frame) frame).payload().close();
                refusals.accept("closing a connection at once: %d are open already".formatted(most));
                context.close();
            }
        }

        private void endUnlessAdmitted(SocketChannel channel) {
            if (!admitted) {
                channel.close();
            }
        }

        private void leave() {
            if (admitted) {
                leaveGreeted();
            } else {
                leaveUngreeted(from);
            }
        }
    }
}
