package org.beefs.common.rpc.tcp;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.CodecException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.beefs.common.config.Addresses;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Link;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP connection as a {@link Link}. The listener is called by the connection's event loop.
 *
 * <p>Bounds: {@link Outbound} says what may wait to be sent; what was received is handed on at once.
 */
final class TcpLink extends ChannelInboundHandlerAdapter implements Link {
    /** How long a closed link waits for the other side to read what was sent, before the connection is cut. */
    private static final long LINGER_MILLIS = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(TcpLink.class);

    private final SocketChannel channel;
    private final Consumer<String> refusals;
    private final Function<Link, Listener> listeners;
    private final CompletableFuture<Link> opened;
    private final Outbound outbound;
    private volatile String peer = "a host";
    private volatile @Nullable InetAddress localAddress;
    private volatile boolean reading = true;

    // Used by the event loop only.
    private @Nullable Listener listener;
    private boolean over;

    /**
     * The future is done once the connection is open and has its listener.
     *
     * @param mac of what is sent, in a hive with a key
     * @param refusals hears what people should know of a peer that is not understood
     */
    TcpLink(
            SocketChannel channel,
            @Nullable FrameMac mac,
            Consumer<String> refusals,
            Function<Link, Listener> listeners,
            CompletableFuture<Link> opened) {
        this.channel = channel;
        this.refusals = refusals;
        this.listeners = listeners;
        this.opened = opened;
        this.outbound = new Outbound(channel, mac, this::fail);
    }

    @Override
    public void send(Frame frame) {
        outbound.send(frame);
    }

    @Override
    public void sendUnhurried(Frame frame) {
        outbound.sendUnhurried(frame);
    }

    @Override
    public boolean isCongested() {
        return outbound.isCongested();
    }

    /**
     * The kernel is asked, so that sending and receiving need no look at the clock. Acknowledgements tell something
     * only while content is on its way: a stopped peer's system sends them too, when it is probed.
     */
    @Override
    public Duration silence() {
        if (!(channel instanceof EpollSocketChannel socket)) {
            return Link.super.silence();
        }
        try {
            EpollTcpInfo info = socket.tcpInfo();
            long received = info.lastDataRecv();
            return Duration.ofMillis(info.unacked() > 0 ? Math.min(received, info.lastAckRecv()) : received);
        } catch (ChannelException e) {
            LOG.debug("the link with {} is gone", peer, e);
            return Link.super.silence();
        }
    }

    @Override
    public void close() {
        onEventLoop(() -> end("this side closed the connection", true));
    }

    @Override
    public void cut() {
        onEventLoop(() -> {
            dropUnsent();
            end("this side cut the connection", false);
        });
    }

    @Override
    public void setReading(boolean wanted) {
        reading = wanted;
        if (channel.eventLoop().inEventLoop()) {
            applyReading();
        } else {
            onEventLoop(this::applyReading);
        }
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public @Nullable InetAddress localAddress() {
        return localAddress;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        learnPeer();
        InetSocketAddress local = channel.localAddress();
        localAddress = local == null ? null : local.getAddress();
        outbound.open();
        listener = listeners.apply(this);
        if (!opened.complete(this)) { // nobody wants it any more
            close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        Frame frame = (Frame) read;
        if (listener == null || over) {
            frame.payload().close();
            return;
        }
        try {
            listener.received(frame);
        } catch (RuntimeException e) {
            LOG.error("closing the connection with {}: a frame could not be handled", peer, e);
            end("a frame could not be handled", false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (listener != null && !over) {
            listener.receivedAll();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            end("the other side closed the connection", false);
            channel.close(); // also when this side has closed before and only waited for the other
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end("the connection is gone", false);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (thrown instanceof CodecException && !over && !isConnecting()) {
            learnPeer();
            refusals.accept("closing the connection with %s: %s".formatted(peer, thrown.getMessage()));
        }
        opened.completeExceptionally(thrown);
        end(String.valueOf(thrown.getMessage()), false);
    }

    /** Whether the link is still being opened: then whoever waits for it is told why it does not come. */
    private boolean isConnecting() {
        return channel.parent() == null && !opened.isDone();
    }

    private void learnPeer() {
        InetSocketAddress remote = channel.remoteAddress();
        if (remote != null) { // null when it has gone again already
            peer = Addresses.format(remote);
        }
    }

    /** Called by any thread. */
    private void fail(String reason) {
        onEventLoop(() -> end(reason, false));
    }

    private void onEventLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the network is closed already, and the link with {} with it", peer);
        }
    }

    private void applyReading() {
        channel.config().setAutoRead(reading);
    }

    /** Tells the listener, once. Sends what waits if asked to, and closes the connection. */
    private void end(String reason, boolean sendRest) {
        if (over) {
            return;
        }
        over = true;
        opened.completeExceptionally(new IOException(reason));
        if (sendRest && channel.isActive()) {
            channel.config().setAutoRead(true); // what comes is dropped; unread bytes would turn the close into a reset
            outbound.finish().addListener(_ -> channel.shutdownOutput());
            channel.eventLoop().schedule(this::closeAtLast, LINGER_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            outbound.discard();
            channel.close();
        }
        if (listener != null) {
            listener.closed(reason);
        }
    }

    private void closeAtLast() {
        dropUnsent();
        channel.close();
    }

    /**
     * Has the close drop what the other side's system has not taken. Otherwise this one would go on sending it for a
     * minute, and a write that was given up long ago could arrive after others.
     */
    private void dropUnsent() {
        if (channel.isOpen()) {
            channel.config().setSoLinger(0);
        }
    }
}
