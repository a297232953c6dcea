package org.beefs.common.rpc;

import java.util.random.RandomGenerator;
import org.beefs.common.request.RequestIds;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;

/**
 * The injected world of whatever makes connections.
 *
 * @param random for jitter; used by several threads, so production injects a thread-safe one such as
 *     {@link java.util.Random}
 * @param requests gives ids to requests that begin here
 */
public record RpcEnvironment(Network network, Timers timers, Clock clock, RandomGenerator random, RequestIds requests) {
    /** The environment of a process whose requests need no ids that differ from those of others. */
    public RpcEnvironment(Network network, Timers timers, Clock clock, RandomGenerator random) {
        this(network, timers, clock, random, new RequestIds(0));
    }
}
