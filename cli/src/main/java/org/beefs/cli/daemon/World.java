package org.beefs.cli.daemon;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.beefs.cli.program.Version;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.request.RequestIds;
import org.beefs.common.rpc.NoService;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.rpc.tcp.HiveKey;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.SystemTimers;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Hello;
import org.jspecify.annotations.Nullable;

/**
 * The real clock, timers, network and randomness, which a daemon hands to its parts and closes after them.
 *
 * @param process a number that no other process has, by which others notice that this one is new
 * @param requests gives ids to requests that begin here
 */
@ProductionOnly
public record World(
        SystemClock clock,
        SystemTimers timers,
        TcpNetwork network,
        RandomGenerator random,
        long process,
        RequestIds requests)
        implements AutoCloseable {
    /**
     * Opens it for a desktop or a tool.
     *
     * @param key the hive's, if it has one
     */
    public static World open(@Nullable HiveKey key) {
        return open(TcpNetwork.DEFAULT_THREADS, key);
    }

    static World open(int networkThreads, @Nullable HiveKey key) {
        SecureRandom seed = new SecureRandom();
        long process = seed.longs().filter(number -> number != 0).findFirst().orElseThrow();
        return new World(
                new SystemClock(),
                new SystemTimers(),
                new TcpNetwork(networkThreads, key),
                new Random(seed.nextLong()),
                process,
                new RequestIds(process));
    }

    /** A connection as tools make it: for questions, without anything that the other side might ask. */
    public CompletableFuture<RpcConnection> connect(InetSocketAddress address, Duration timeout) {
        Hello hello = Hello.newBuilder()
                .setProtocol(RpcConnection.PROTOCOL)
                .setProgram(Version.ofProcess())
                .setRole("tool")
                .build();
        return RpcConnection.connect(
                network, timers, address, timeout, hello, _ -> new NoService<>(DesktopRequest.parser()));
    }

    RpcEnvironment rpc() {
        return new RpcEnvironment(network, timers, clock, random, requests);
    }

    @Override
    public void close() {
        network.close();
        timers.close();
    }
}
