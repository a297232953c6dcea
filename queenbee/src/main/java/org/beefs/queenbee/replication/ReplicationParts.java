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
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Sweep;
import org.beefs.queenbee.replication.departure.Departures;
import org.beefs.queenbee.replication.departure.ReadReplicas;
import org.beefs.queenbee.replication.departure.Relief;
import org.beefs.queenbee.replication.departure.Relocation;
import org.beefs.queenbee.replication.departure.RemainsSearch;
import org.beefs.queenbee.replication.departure.Wishes;
import org.beefs.queenbee.replication.fetch.BackgroundFetches;
import org.beefs.queenbee.replication.fetch.Checkpoints;
import org.beefs.queenbee.replication.fetch.FetchMaker;
import org.beefs.queenbee.replication.fetch.Pauses;
import org.beefs.queenbee.replication.fetch.Throughput;
import org.beefs.queenbee.replication.fetch.UnansweredCopies;
import org.beefs.queenbee.replication.fetch.UrgentFetches;
import org.beefs.queenbee.replication.placement.FullDisks;
import org.beefs.queenbee.replication.placement.RefusedVersions;
import org.beefs.queenbee.replication.placement.Settings;
import org.beefs.queenbee.replication.placement.Targets;
import org.beefs.queenbee.replication.placement.Unreached;
import org.beefs.queenbee.replication.primary.Healing;
import org.beefs.queenbee.replication.primary.LastResort;
import org.beefs.queenbee.replication.primary.Promotion;

/** Makes what {@link Replication} consists of, each part after those that it needs. */
public final class ReplicationParts {
    /** For how long nobody may have changed an open file before it is copied. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    /** For how long nobody may have changed an open file before it is copied for somebody who waits. */
    private static final Duration SHORT_QUIET = Duration.ofMillis(50);

    final Namespace namespace;
    final Honeycombs honeycombs;
    final Mutator mutator;
    final Clock clock;
    final Settings settings;
    final Targets targets;
    final ScheduledFiles scheduled = new ScheduledFiles();
    final Retries retries;
    final Unreached unreached;
    final FullDisks fullDisks;
    final RefusedVersions refusedVersions;
    final UnansweredCopies unanswered = new UnansweredCopies();
    final BackgroundFetches fetches;
    final Promotion promotion;
    final Checkpoints checkpoints;
    final Absences absences;
    final Departures departures;
    final RemainsSearch remains;
    final ReplicaSets sets;
    final Relief relief;
    final Census census;
    final Securing securing;
    final ReadReplicas readReplicas;
    final Throughput throughput;
    final Upkeep upkeep;
    final CheckpointCopies checkpointCopies;
    final Relocation relocation;
    final Healing healing;
    final Wishes wishes;

    /** Goes through all files for those that lack something. */
    final Sweep sweep;

    private ReplicationParts(
            Namespace namespace,
            Honeycombs honeycombs,
            Mutator mutator,
            Occasions occasions,
            Numbering numbering,
            Clock clock,
            LongSupplier changes,
            QueenBeeConfig config) {
        this.namespace = namespace;
        this.honeycombs = honeycombs;
        this.mutator = mutator;
        this.clock = clock;
        Duration patience = config.errandDeadline().dividedBy(3);
        Pauses pauses = new Pauses(config.heartbeat(), Retries.LONGEST_PAUSE);
        WaterMarks marks = new WaterMarks(config.lowWater(), config.highWater());
        settings = new Settings(config.replicas(), config.timeToCoherence());
        retries = new Retries(scheduled, clock, pauses);
        fullDisks = new FullDisks(clock);
        refusedVersions = new RefusedVersions(clock);
        unreached = new Unreached(honeycombs, clock);
        remains = new RemainsSearch(namespace, occasions);
        checkpoints = new Checkpoints(numbering, clock, config.checkpointDistance());
        fetches = new BackgroundFetches(
                namespace,
                new FetchMaker(honeycombs, checkpoints, Honeycomb::canCopy, QUIET),
                clock,
                pauses,
                config.errandBatch(),
                config.copyBudget(),
                config.errandDeadline().dividedBy(2));
        targets = new Targets(
                honeycombs, config.placementRoom(), marks, fetches::admits, fullDisks, refusedVersions, unreached);
        UrgentFetches urgent = new UrgentFetches(
                namespace,
                new FetchMaker(honeycombs, checkpoints, Honeycomb::isConnected, SHORT_QUIET),
                clock,
                config.errandDeadline().dividedBy(6),
                config.errandDeadline());
        promotion = new Promotion(
                namespace,
                honeycombs,
                mutator,
                occasions,
                numbering,
                new LastResort(
                        namespace,
                        honeycombs,
                        mutator,
                        numbering,
                        checkpoints,
                        inode -> fetches.isUnderWay(inode) || urgent.isUnderWay(inode),
                        unanswered));
        absences = new Absences(
                honeycombs, clock, config.graceTime(), config.heartbeat().multipliedBy(2));
        relief = new Relief(occasions, clock, patience, config.maxParked());
        departures =
                new Departures(honeycombs, settings, targets, promotion, mutator, unreached, refusedVersions, relief);
        sets = new ReplicaSets(honeycombs, settings, targets, fetches, departures, mutator);
        securing = new Securing(
                namespace,
                honeycombs,
                settings,
                new SecuringCopies(honeycombs, settings, departures, checkpoints, urgent, sets::chooseSecurable),
                occasions,
                clock,
                patience,
                config.maxParked());
        readReplicas = new ReadReplicas(namespace, targets, departures, config.replicateOnRead());
        throughput = new Throughput(clock);
        upkeep = new Upkeep(
                honeycombs, clock, settings, scheduled, retries, checkpoints, fetches, promotion, departures, sets);
        census = new Census(namespace, honeycombs, settings, departures, upkeep, changes);
        checkpointCopies =
                new CheckpointCopies(checkpoints, honeycombs, departures, sets, securing, fetches, mutator, upkeep);
        relocation = new Relocation(
                namespace,
                honeycombs,
                marks,
                departures,
                relief,
                clock,
                config.relocateAtRandom(),
                config.heartbeat().multipliedBy(2),
                retries::hasFailed,
                upkeep::changedAtRest);
        healing = new Healing(namespace, honeycombs, mutator, promotion, upkeep::changed);
        wishes = new Wishes(namespace, honeycombs, targets, departures, clock, upkeep::changedAtRest);
        sweep = new Sweep(namespace, upkeep::found);
    }

    /** Makes the replication of a queen-bee. */
    public static Replication of(
            Namespace namespace,
            Honeycombs honeycombs,
            Mutator mutator,
            Occasions occasions,
            Numbering numbering,
            Clock clock,
            LongSupplier changes,
            QueenBeeConfig config) {
        return new Replication(
                new ReplicationParts(namespace, honeycombs, mutator, occasions, numbering, clock, changes, config));
    }
}
