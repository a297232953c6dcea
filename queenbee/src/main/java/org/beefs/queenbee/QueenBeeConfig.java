package org.beefs.queenbee;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.Durations;
import org.beefs.common.rpc.Reconnector;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.queenbee.namespace.ReplicationSettings;

/**
 * Settings of a queen-bee.
 *
 * @param listen where it listens; port 0 takes a free one
 * @param state folder of its state, which belongs to it alone; a relative path is below the process folder
 * @param lease a session that is silent for so long ends
 * @param fenceMargin how long before the end of its lease a desktop stops changing contents: what it takes to close
 *     files to the programs that write them, and by how much clocks may differ
 * @param heartbeat distance of a daemon's heartbeats; at least two fit into the lease
 * @param cacheTime a desktop that has heard nothing for so long drops what it caches under leases
 * @param recallTimeout how long a desktop may take to answer a recall, and delay others at most; one that was silent
 *     for so long has no leases any more. Longer than the cache time, by more than clocks may differ
 * @param flushInterval how long a change that nobody syncs may stay only in the operating system's memory
 * @param placementRoom what must be free in the honeycomb on the creator's desktop, so that a new file goes there
 * @param passLimit requests that one pass of the namespace thread takes
 * @param maxQueued requests that may wait for the namespace thread; further ones fail with EAGAIN
 * @param maxParked requests that may wait for something else, such as a honeycomb
 * @param maxSessions desktop daemons
 * @param maxLeases leases that one session may gather before they are recalled as a whole; while that is under way it
 *     may gather as many again. 27 to 53 bytes of heap each, less when several desktops hold one on the same inode
 * @param maxOpenFiles files that one session may have open
 * @param maxAnswers answers that are kept for one session because it has not acknowledged them
 * @param errandBatch replicas in one request to a desktop daemon
 * @param errandDeadline how long a desktop daemon may take for such a request before it is made again
 * @param sealDelay how long a committed version may wait before its honeycomb is told to bring it to disk and mark it;
 *     with it go all that were committed meanwhile, and what is removed before costs nothing. Kept to within a
 *     heartbeat
 * @param replicas of a file altogether, unless the file or its directory says otherwise; fewer where there are fewer
 *     desktops
 * @param timeToCoherence how long after a close secondary replicas may stay stale, likewise. Kept to within a heartbeat
 * @param graceTime a desktop that is away for longer is lost: what it held is made again elsewhere, and files that it
 *     was to write get another primary. Counted while the queen-bee runs
 * @param checkpointDistance a file that somebody has open for writing for so long gets a version nevertheless, and
 *     another one after each further such time in which it was changed. Kept to within a heartbeat
 * @param copyBudget what secondaries are copied at the same time in the whole hive, where a file counts for 64 MiB at
 *     most; the file that is begun last may go beyond
 * @param lowWater when less of a honeycomb is free, replicas leave it; percent of what it can hold, 0 for never
 * @param highWater until so much of it is free; what is copied to a honeycomb leaves at least as much. Percent likewise
 * @param replicateOnRead what extra replicas may take of a honeycomb, those of remote files that were read whole on its
 *     desktop; percent likewise, 0 for none
 * @param relocateAtRandom whether it is chance which replicas leave; otherwise those that were used longest ago go
 *     first
 * @param acceptOlderState whether to go on with a state that is older than what honeycombs' catalogs know, and give up
 *     what only these know; otherwise such honeycombs are refused
 */
public record QueenBeeConfig(
        InetSocketAddress listen,
        Path state,
        Duration lease,
        Duration fenceMargin,
        Duration heartbeat,
        Duration cacheTime,
        Duration recallTimeout,
        Duration flushInterval,
        ByteSize placementRoom,
        int passLimit,
        int maxQueued,
        int maxParked,
        int maxSessions,
        int maxLeases,
        int maxOpenFiles,
        int maxAnswers,
        int errandBatch,
        Duration errandDeadline,
        Duration sealDelay,
        int replicas,
        Duration timeToCoherence,
        Duration graceTime,
        Duration checkpointDistance,
        ByteSize copyBudget,
        int lowWater,
        int highWater,
        int replicateOnRead,
        boolean relocateAtRandom,
        boolean acceptOlderState) {
    public static final String DEFAULT_LISTEN = "127.0.0.1:7411";

    /** Connections that tools have, and desktops that have not ended their former one. */
    private static final int MORE_CONNECTIONS = 1024;

    // Beyond the next four a queen-bee could work, and her desktops would cut their connections again and again.

    /**
     * A desktop waits for 10 s for one answer. A request that waits for another desktop is answered after 3 s and a
     * heartbeat.
     */
    private static final Duration LONGEST_HEARTBEAT = Duration.ofSeconds(5);

    /** For so long a request may wait until others have let go of what they cache, likewise. */
    private static final Duration LONGEST_RECALL = Duration.ofSeconds(8);

    /** As many calls as one desktop may have unfinished. */
    private static final int LEAST_OF_ONE_DESKTOP = Reconnector.MAX_CALLS;

    /** As many requests as one desktop may have waiting. */
    private static final int LEAST_PARKED = RpcConnection.MAX_SERVED / 2;

    public QueenBeeConfig {
        checkRange("lease", lease, Duration.ofSeconds(1), Duration.ofHours(1));
        checkRange("fence-margin", fenceMargin, Duration.ofMillis(1), lease.dividedBy(2));
        checkRange("heartbeat", heartbeat, Duration.ofMillis(10), lesser(lease.dividedBy(2), LONGEST_HEARTBEAT));
        checkRange("recall-timeout", recallTimeout, Duration.ofMillis(10), lesser(lease, LONGEST_RECALL));
        checkRange(
                "cache-time",
                cacheTime,
                Duration.ofMillis(1),
                recallTimeout.multipliedBy(9).dividedBy(10));
        checkRange("flush-interval", flushInterval, Duration.ofMillis(1), Duration.ofMinutes(1));
        checkRange("errand-deadline", errandDeadline, Duration.ofMillis(100), Duration.ofHours(1));
        checkRange("seal-delay", sealDelay, Duration.ZERO, Duration.ofHours(1));
        checkRange("pass-limit", passLimit, 1, 65_536);
        checkRange("max-queued", maxQueued, LEAST_OF_ONE_DESKTOP, 1 << 20);
        checkRange("max-parked", maxParked, LEAST_PARKED, 1 << 20);
        checkRange("max-sessions", maxSessions, 1, 100_000);
        checkRange("max-leases", maxLeases, 1, 1 << 24);
        checkRange("max-open-files", maxOpenFiles, 1, 100_000_000);
        checkRange("max-answers", maxAnswers, LEAST_OF_ONE_DESKTOP, 1 << 20);
        checkRange("errand-batch", errandBatch, 1, 4096);
        checkRange("replicas", replicas, 1, ReplicationSettings.MOST_REPLICAS);
        checkRange("time-to-coherence", timeToCoherence, Duration.ZERO, ReplicationSettings.LONGEST);
        checkRange("grace-time", graceTime, Duration.ofSeconds(1), ReplicationSettings.LONGEST);
        checkRange("checkpoint-distance", checkpointDistance, Duration.ofSeconds(1), ReplicationSettings.LONGEST);
        checkRange("high-water", highWater, 0, 50);
        checkRange("low-water", lowWater, 0, highWater);
        checkRange("replicate-on-read", replicateOnRead, 0, 50);
    }

    /** Connections at a time. */
    public int maxConnections() {
        return maxSessions + MORE_CONNECTIONS;
    }

    /** The defaults for all the rest. */
    public static QueenBeeConfig of(String listen, Path state) {
        return new QueenBeeConfig(
                /* listen= */ Addresses.parse(listen),
                state,
                /* lease= */ Duration.ofSeconds(30),
                /* fenceMargin= */ Duration.ofSeconds(5),
                /* heartbeat= */ Duration.ofSeconds(2),
                /* cacheTime= */ Duration.ofSeconds(4),
                /* recallTimeout= */ Duration.ofSeconds(5),
                /* flushInterval= */ Duration.ofMillis(50),
                /* placementRoom= */ new ByteSize(1 << 20),
                /* passLimit= */ 256,
                /* maxQueued= */ 65_536,
                /* maxParked= */ 10_000,
                /* maxSessions= */ 10_000,
                /* maxLeases= */ 262_144,
                /* maxOpenFiles= */ 1_000_000,
                /* maxAnswers= */ 65_536,
                /* errandBatch= */ 1000,
                /* errandDeadline= */ Duration.ofSeconds(30),
                /* sealDelay= */ Duration.ofSeconds(5),
                /* replicas= */ 3,
                /* timeToCoherence= */ Duration.ofSeconds(30),
                /* graceTime= */ Duration.ofDays(4),
                /* checkpointDistance= */ Duration.ofMinutes(5),
                /* copyBudget= */ new ByteSize(1L << 30),
                /* lowWater= */ 5,
                /* highWater= */ 10,
                /* replicateOnRead= */ 0,
                /* relocateAtRandom= */ false,
                /* acceptOlderState= */ false);
    }

    private static Duration lesser(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static void checkRange(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw refused(key, Durations.format(value), Durations.format(least), Durations.format(most));
        }
    }

    private static void checkRange(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw refused(key, value, least, most);
        }
    }

    private static IllegalArgumentException refused(String key, Object value, Object least, Object most) {
        return new IllegalArgumentException(
                "%s is %s, and must be between %s and %s".formatted(key, value, least, most));
    }
}
