package org.beefs.common.rpc;

import java.util.random.RandomGenerator;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;

/**
 * The injected world of what makes connections.
 *
 * @param random for jitter; used by several threads, so production injects a thread-safe one such as
 *     {@link java.util.Random}
 */
public record RpcEnvironment(Network network, Timers timers, Clock clock, RandomGenerator random) {}
