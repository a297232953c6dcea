package org.beefs.honeycomb;

import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.beefs.common.rpc.Network;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.honeycomb.pace.Pressure;
import org.beefs.honeycomb.pace.User;

/**
 * What is injected into a honeycomb.
 *
 * @param random for the UUID of a new folder
 * @param buffers for content that is read
 * @param io where requests of other desktops are carried out; rejects what is too much
 * @param fencing where files are closed to the programs that write them, at a stop all; used for nothing else
 * @param syncs where syncs, and the queen-bee's requests, wait for the disk; rejects what is too much
 * @param pressure how busy the machine is
 * @param user whether somebody uses it
 * @param wake how the machine is woken; asked at each registration
 * @param machineStart another one each time the machine starts, or the folder's file system is mounted anew: what was
 *     not synced before may be gone
 */
public record HoneycombWorld(
        Network network,
        Clock clock,
        Timers timers,
        RandomGenerator random,
        ByteBufAllocator buffers,
        Executor io,
        Executor syncs,
        Executor fencing,
        Pressure pressure,
        User user,
        Supplier<Optional<WakeAddresses>> wake,
        String machineStart) {}
