package org.beefs.queenbee.replication;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.hive.Absences;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.WaterMarks;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.lease.Mutator;
import org.beefs.queenbee.namespace.Namespace;

/** Puts {@link Replication} together. */
public final class ReplicationParts {
    /** For how long nobody may have changed an open file before it is copied. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    /** The same when somebody waits. */
    private static final Duration SHORT_QUIET = Duration.ofMillis(50);

    private ReplicationParts() {}

    /** What a queen-bee has of it. */
    public static Replication of(
            Namespace namespace,
            Honeycombs honeycombs,
            Mutator mutator,
            Numbering numbering,
            Clock clock,
            LongSupplier changes,
            QueenBeeConfig config) {
        Pauses pauses = new Pauses(config.heartbeat(), Replication.LONGEST_PAUSE);
        Checkpoints checkpoints = new Checkpoints(numbering, clock, config.checkpointDistance());
        LastResort lastResort = new LastResort(namespace, honeycombs, mutator, numbering, checkpoints);
        WaterMarks marks = new WaterMarks(config.lowWater(), config.highWater());
        return new Replication(
                namespace,
                honeycombs,
                mutator,
                clock,
                new Settings(config.replicas(), config.timeToCoherence()),
                new Targets(honeycombs, config.placementRoom(), marks),
                pauses,
                new Fetches(
                        namespace,
                        new FetchMaker(honeycombs, checkpoints, Honeycomb::canCopy, QUIET),
                        clock,
                        pauses,
                        config.errandBatch(),
                        config.copyBudget(),
                        config.errandDeadline().dividedBy(2)),
                new UrgentFetches(
                        namespace,
                        new FetchMaker(honeycombs, checkpoints, Honeycomb::isConnected, SHORT_QUIET),
                        clock,
                        config.errandDeadline().dividedBy(6)),
                new Promotion(namespace, honeycombs, mutator, numbering, lastResort),
                checkpoints,
                new Absences(
                        honeycombs,
                        clock,
                        config.graceTime(),
                        config.heartbeat().multipliedBy(2)),
                marks,
                changes,
                config);
    }
}
