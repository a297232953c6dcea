package org.beefs.cli.daemon;

import java.security.SecureRandom;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.beefs.common.rpc.RpcEnvironment;
import org.beefs.common.rpc.TcpNetwork;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.SystemClock;
import org.beefs.common.time.SystemTimers;

/**
 * The real clock, timers, network and randomness, which a daemon hands to its parts and closes after them.
 *
 * @param process a number that no other process has, by which others notice that this one is new
 */
@ProductionOnly
public record World(SystemClock clock, SystemTimers timers, TcpNetwork network, RandomGenerator random, long process)
        implements AutoCloseable {
    public static World open() {
        return open(TcpNetwork.DEFAULT_THREADS);
    }

    static World open(int networkThreads) {
        SecureRandom seed = new SecureRandom();
        long process = seed.longs().filter(number -> number != 0).findFirst().orElseThrow();
        return new World(
                new SystemClock(),
                new SystemTimers(),
                new TcpNetwork(networkThreads),
                new Random(seed.nextLong()),
                process);
    }

    RpcEnvironment rpc() {
        return new RpcEnvironment(network, timers, clock, random);
    }

    @Override
    public void close() {
        network.close();
        timers.close();
    }
}
