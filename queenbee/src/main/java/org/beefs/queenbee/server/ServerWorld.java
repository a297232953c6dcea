package org.beefs.queenbee.server;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.QueenBeeConfig;

/**
 * What a queen-bee that listens is made of.
 *
 * @param folder where the state's folder is, if its path is relative
 * @param network of {@link QueenBeeServer#NETWORK_THREADS}; with more, requests change threads on their way
 * @param times of what desktops and tools ask, also over the several queen-bees of a recovery
 */
public record ServerWorld(
        Path folder,
        QueenBeeConfig config,
        Clock clock,
        Timers timers,
        TcpNetwork network,
        RandomGenerator random,
        OperationTimes<OperationCase> times) {
    /** Folder of the state. */
    public Path state() {
        return folder.resolve(config.state());
    }
}
