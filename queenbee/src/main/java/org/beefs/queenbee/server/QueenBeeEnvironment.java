package org.beefs.queenbee.server;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.queenbee.journal.FatalHandler;
import org.beefs.queenbee.memory.MemoryRoom;

/**
 * The world around a queen-bee.
 *
 * @param machineStart as {@link org.beefs.common.linux.MachineStart} tells of the state's folder
 * @param memory of this process
 * @param flusher runs the flushes of the journal, one at a time
 * @param fatal ends the process
 */
public record QueenBeeEnvironment(
        Clock clock,
        Timers timers,
        RandomGenerator random,
        String machineStart,
        MemoryRoom memory,
        Executor flusher,
        FatalHandler fatal) {}
