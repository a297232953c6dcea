package org.beefs.common.rpc.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.beefs.common.rpc.KeyMismatchException;
import org.beefs.common.rpc.Link;
import org.beefs.common.rpc.Network;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.Timers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links over TCP, on Netty with native epoll, or NIO where there is no epoll. Thread-safe. Its threads are daemons; a
 * link stays with one of them. What each link may hold is said in {@link TcpLink}. With a {@link HiveKey} links are
 * open only after a {@link KeyExchange}, and carry only frames of who has the key ({@link FrameMac}).
 */
@ProductionOnly
public final class TcpNetwork implements Network, AutoCloseable {
    /** Threads that are enough for what a desktop moves. */
    public static final int DEFAULT_THREADS = 2;

    private static final int BACKLOG = 1024;

    /** Addresses of a name that are tried, in the resolver's order, each for its part of the timeout. */
    static final int MAX_ADDRESSES = 8;

    /** How long who has connected may take to greet. */
    private static final Duration GREETING = Duration.ofSeconds(10);

    /** How long a peer's system may leave what was sent unacknowledged, before the connection ends. */
    private static final int UNACKNOWLEDGED_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(TcpNetwork.class);

    private final boolean epoll = Epoll.isAvailable();
    private final EventLoopGroup group;
    private final @Nullable HiveKey key;
    private final Duration greeting;
    private final Resolver resolver;
    private final RefusalLog refusals = new RefusalLog(this::schedule);

    /** Asks for the addresses of a name; may block for as long as a name server takes. */
    interface Resolver {
        /** One at least. */
        InetAddress[] addresses(String name) throws UnknownHostException;
    }

    public TcpNetwork() {
        this(DEFAULT_THREADS);
    }

    /** A network for a hive without a key. */
    public TcpNetwork(int threads) {
        this(threads, null);
    }

    /** @param key of the hive, if it has one */
    public TcpNetwork(int threads, @Nullable HiveKey key) {
        this(threads, key, GREETING, InetAddress::getAllByName);
    }

    TcpNetwork(int threads, @Nullable HiveKey key, Duration greeting, Resolver resolver) {
        this.key = key;
        this.greeting = greeting;
        this.resolver = resolver;
        if (!epoll) {
            LOG.warn("no native epoll, so the network is slower: {}", String.valueOf(Epoll.unavailabilityCause()));
        }
        group = new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("beefs-net", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** A network with so many threads of its own, and the same key. */
    public TcpNetwork another(int threads) {
        return new TcpNetwork(threads, key);
    }

    /**
     * A thread that serves links, with each call the next one in turn. What runs there comes after the frames that have
     * been read, and before the thread sleeps. Rejects tasks when the network is closed.
     */
    public Executor thread() {
        return group.next();
    }

    @Override
    public CompletableFuture<Link> connect(
            InetSocketAddress address, Duration timeout, Function<Link, Link.Listener> listener) {
        CompletableFuture<Link> result = new CompletableFuture<>();
        if (address.isUnresolved()) { // looked up on a thread of its own, for a name server may be slow
            Thread.ofVirtual().name("beefs-lookup").start(() -> openByName(address, timeout, listener, result));
        } else {
            open(address, timeout, listener, result);
        }
        return result;
    }

    private void openByName(
            InetSocketAddress named,
            Duration timeout,
            Function<Link, Link.Listener> listener,
            CompletableFuture<Link> result) {
        List<InetSocketAddress> addresses;
        try {
            addresses = Stream.of(resolver.addresses(named.getHostString()))
                    .limit(MAX_ADDRESSES)
                    .map(address -> new InetSocketAddress(address, named.getPort()))
                    .toList();
        } catch (UnknownHostException e) {
            ConnectException failure = new ConnectException(unknown(named));
            failure.initCause(e);
            result.completeExceptionally(failure);
            return;
        }
        openOneOf(addresses.iterator(), timeout.dividedBy(addresses.size()), listener, null, result);
    }

    /**
     * A host may listen at one of its addresses only, or be reached at one from here; and in a hive with a key
     * something else may answer at another one, as long as a name is moved.
     *
     * @param before why the attempts before have failed
     */
    private void openOneOf(
            Iterator<InetSocketAddress> addresses,
            Duration each,
            Function<Link, Link.Listener> listener,
            @Nullable Throwable before,
            CompletableFuture<Link> result) {
        CompletableFuture<Link> attempt = new CompletableFuture<>();
        open(addresses.next(), each, listener, attempt);
        attempt.whenComplete((link, failure) -> {
            if (failure != null && addresses.hasNext() && !result.isDone()) {
                openOneOf(addresses, each, listener, both(before, failure), result);
            } else if (failure != null) {
                result.completeExceptionally(both(before, failure));
            } else if (!result.complete(link)) { // nobody wants it any more
                link.close();
            }
        });
    }

    /**
     * What two failed attempts come to. Where a wrong key was met at one address the right process may be at the other
     * one, and answer the next attempt.
     */
    private static Throwable both(@Nullable Throwable before, Throwable failure) {
        if (before == null || before instanceof KeyMismatchException == failure instanceof KeyMismatchException) {
            return failure;
        }
        Throwable wrongKey = before instanceof KeyMismatchException ? before : failure;
        Throwable passing = before instanceof KeyMismatchException ? failure : before;
        ConnectException both = new ConnectException(
                "%s; and at another of its addresses: %s".formatted(passing.getMessage(), wrongKey.getMessage()));
        both.initCause(passing);
        return both;
    }

    private void open(
            InetSocketAddress address,
            Duration timeout,
            Function<Link, Link.Listener> listener,
            CompletableFuture<Link> result) {
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the key's exchange has to end in time as well
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        prepare(channel, true, listener, result);
                        limit(channel, timeout, result);
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

    /** Bounds an attempt, which may take so long until the link is open; no connection outlives it. */
    private static void limit(SocketChannel channel, Duration timeout, CompletableFuture<Link> result) {
        long millis = Math.clamp(timeout.toMillis(), 1, 3_600_000);
        Runnable giveUp =
                () -> result.completeExceptionally(new ConnectException("no answer within %d ms".formatted(millis)));
        Future<?> timer = channel.eventLoop().schedule(giveUp, millis, TimeUnit.MILLISECONDS);
        result.whenComplete((_, failure) -> {
            timer.cancel(false);
            if (failure != null) {
                channel.close();
            }
        });
    }

    @Override
    public Server listen(InetSocketAddress address, int most, Function<Link, Link.Listener> acceptor)
            throws IOException {
        ChannelGroup accepted = new DefaultChannelGroup("beefs-accepted", GlobalEventExecutor.INSTANCE, true);
        Admissions admissions = new Admissions(most, greeting, refusals);
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
                        accept(channel, accepted, admissions, acceptor);
                    }
                })
                .bind(resolved)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            BindException failure = cannotListen(address, reason(bound.cause()));
            failure.initCause(bound.cause());
            throw failure;
        }
        ServerSocketChannel channel = (ServerSocketChannel) bound.channel();
        return new TcpServer(listening(resolved.getAddress(), channel.localAddress()), channel, accepted);
    }

    /**
     * The address that is listened at, with all addresses as they were asked for: the system tells them as those of
     * IPv6.
     */
    private static InetSocketAddress listening(InetAddress asked, InetSocketAddress real) {
        return asked.isAnyLocalAddress() ? new InetSocketAddress(asked, real.getPort()) : real;
    }

    private static BindException cannotListen(InetSocketAddress address, String reason) {
        return new BindException(
                "cannot listen at %s:%d: %s".formatted(address.getHostString(), address.getPort(), reason));
    }

    private static String unknown(InetSocketAddress address) {
        return "nobody knows the address of host " + address.getHostString();
    }

    /** What the system said, without Netty's own exceptions, and its frame of system call, error number and address. */
    static String reason(Throwable thrown) {
        String innermost = thrown.toString();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            innermost = cause.getMessage() == null ? innermost : cause.getMessage();
        }
        return innermost.replaceFirst("^.*error\\(-\\d+\\): ", "").replaceFirst(": [^ ]*/[^ ]+$", "");
    }

    /** Closes all links and stops the threads; waits for that at most some seconds. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private void accept(
            SocketChannel channel,
            ChannelGroup accepted,
            Admissions admissions,
            Function<Link, Link.Listener> acceptor) {
        ChannelHandler place = admissions.accept(channel);
        if (place != null) {
            accepted.add(channel);
            prepare(channel, false, acceptor, new CompletableFuture<>());
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addBefore(pipeline.context(TcpLink.class).name(), null, place);
        }
    }

    private Timers.Timer schedule(Duration delay, Runnable task) {
        Future<?> timer = group.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    private void prepare(
            SocketChannel channel,
            boolean connects,
            Function<Link, Link.Listener> listener,
            CompletableFuture<Link> opened) {
        channel.config().setTcpNoDelay(true).setKeepAlive(true);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (epoll) { // a peer whose machine vanished is noticed within a minute, whether something was sent to it or
            // not
            channel.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
            channel.config().setOption(EpollChannelOption.TCP_KEEPIDLE, 30);
            channel.config().setOption(EpollChannelOption.TCP_KEEPINTVL, 10);
            channel.config().setOption(EpollChannelOption.TCP_KEEPCNT, 3);
        }
        KeyExchange exchange = key == null ? null : new KeyExchange(key, connects);
        FrameMac sent = exchange == null ? null : exchange.sent();
        FrameMac received = exchange == null ? null : exchange.received();
        TcpLink link = new TcpLink(channel, sent, refusals, listener, opened);
        channel.pipeline().addLast(new FrameDecoder(received), new FrameEncoder(sent), link);
        if (exchange != null) {
            channel.pipeline().addFirst(exchange);
        }
    }

    private record TcpServer(InetSocketAddress address, ServerSocketChannel channel, ChannelGroup accepted)
            implements Server {
        @Override
        public void refuse() {
            channel.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            refuse();
            accepted.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        }
    }
}
