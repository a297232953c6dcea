package org.beefs.common.rpc;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.beefs.common.time.ProductionOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links over TCP, on Netty with native epoll, or NIO where there is no epoll. Thread-safe. Its threads are daemons; a
 * link stays with one of them. What each link may hold is said in {@link TcpLink}.
 */
@ProductionOnly
public final class TcpNetwork implements Network, AutoCloseable {
    /** Enough for what a desktop moves. */
    public static final int DEFAULT_THREADS = 2;

    private static final int BACKLOG = 1024;

    /** After which a connection ends whose peer's system has not acknowledged what was sent. */
    private static final int UNACKNOWLEDGED_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(TcpNetwork.class);

    private final boolean epoll = Epoll.isAvailable();
    private final EventLoopGroup group;

    public TcpNetwork() {
        this(DEFAULT_THREADS);
    }

    public TcpNetwork(int threads) {
        if (!epoll) {
            LOG.warn("no native epoll, so the network is slower: {}", String.valueOf(Epoll.unavailabilityCause()));
        }
        group = new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("beefs-net", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /**
     * One of the threads that serve links; all of them, if there is only one. What runs there comes after the frames
     * that have been read, and before the thread sleeps. Rejects tasks when the network is closed.
     */
    public Executor thread() {
        return group.next();
    }

    @Override
    public CompletableFuture<Link> connect(
            InetSocketAddress address, Duration timeout, Function<Link, Link.Listener> listener) {
        CompletableFuture<Link> result = new CompletableFuture<>();
        if (address.isUnresolved()) { // looked up on a thread of its own, for a name server may be slow
            Thread.ofVirtual().name("beefs-lookup").start(() -> {
                InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
                if (resolved.isUnresolved()) {
                    result.completeExceptionally(new ConnectException(unknown(address)));
                } else {
                    open(resolved, timeout, listener, result);
                }
            });
        } else {
            open(address, timeout, listener, result);
        }
        return result;
    }

    private void open(
            InetSocketAddress address,
            Duration timeout,
            Function<Link, Link.Listener> listener,
            CompletableFuture<Link> result) {
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.clamp(timeout.toMillis(), 1, 3_600_000))
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        prepare(channel, listener, result);
                    }
                });
        bootstrap.connect(address).addListener((ChannelFuture connected) -> {
            if (!connected.isSuccess()) {
                ConnectException failure = new ConnectException(reason(connected.cause()));
                failure.initCause(connected.cause());
                result.completeExceptionally(failure);
            }
        });
    }

    @Override
    public Server listen(InetSocketAddress address, Function<Link, Link.Listener> acceptor) throws IOException {
        ChannelGroup accepted = new DefaultChannelGroup("beefs-accepted", GlobalEventExecutor.INSTANCE, true);
        InetSocketAddress resolved =
                address.isUnresolved() ? new InetSocketAddress(address.getHostString(), address.getPort()) : address;
        if (resolved.isUnresolved()) {
            throw cannotListen(address, unknown(address));
        }
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accepted.add(channel);
                        prepare(channel, acceptor, new CompletableFuture<>());
                    }
                })
                .bind(resolved)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            BindException failure = cannotListen(address, reason(bound.cause()));
            failure.initCause(bound.cause());
            throw failure;
        }
        return new TcpServer((ServerSocketChannel) bound.channel(), accepted);
    }

    private static BindException cannotListen(InetSocketAddress address, String reason) {
        return new BindException(
                "cannot listen at %s:%d: %s".formatted(address.getHostString(), address.getPort(), reason));
    }

    private static String unknown(InetSocketAddress address) {
        return "nobody knows the address of host " + address.getHostString();
    }

    /** What the system said, without Netty's frame of system call, error number and address. */
    private static String reason(Throwable cause) {
        return String.valueOf(cause.getMessage())
                .replaceFirst("^.*error\\(-\\d+\\): ", "")
                .replaceFirst(": [^ ]*/[^ ]+$", "");
    }

    /** Closes all links and stops the threads; waits for that at most some seconds. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private void prepare(
            SocketChannel channel, Function<Link, Link.Listener> listener, CompletableFuture<Link> opened) {
        channel.config().setTcpNoDelay(true).setKeepAlive(true);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (epoll) { // a peer whose machine vanished is noticed within a minute, whether something was sent to it or
            // not
            channel.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
            channel.config().setOption(EpollChannelOption.TCP_KEEPIDLE, 30);
            channel.config().setOption(EpollChannelOption.TCP_KEEPINTVL, 10);
            channel.config().setOption(EpollChannelOption.TCP_KEEPCNT, 3);
        }
        TcpLink link = new TcpLink(channel, listener, opened);
        channel.pipeline().addLast(new FrameDecoder(), new FrameEncoder(), link);
    }

    private record TcpServer(ServerSocketChannel channel, ChannelGroup accepted) implements Server {
        @Override
        public InetSocketAddress address() {
            return channel.localAddress();
        }

        @Override
        public void close() {
            channel.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
            accepted.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        }
    }
}
