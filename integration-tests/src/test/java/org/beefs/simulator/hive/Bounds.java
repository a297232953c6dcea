package org.beefs.simulator.hive;

import java.util.random.RandomGenerator;

/**
 * How much may be kept or be under way at a time. Programs see none of these: what goes beyond one waits, or is asked
 * for again.
 *
 * @param passLimit as the queen-bee's configuration has it
 * @param maxLeases likewise
 * @param errandBatch likewise
 * @param maxChanges as each desktop's configuration has it
 * @param maxConnections likewise
 * @param maxTransfers likewise
 * @param maxHeldBack likewise, in bytes
 * @param maxCachedNodes likewise
 * @param maxCachedEntries likewise
 */
public record Bounds(
        int passLimit,
        int maxLeases,
        int errandBatch,
        int maxChanges,
        int maxConnections,
        int maxTransfers,
        int maxHeldBack,
        int maxCachedNodes,
        int maxCachedEntries) {
    /** More than a run can reach. */
    public static final Bounds WIDE = new Bounds(256, 262_144, 1000, 1024, 256, 16, 64 << 20, 65_536, 65_536);

    /** A run of so many is within narrow bounds. */
    private static final int SELDOM_NARROW = 4;

    /** Narrow ones for some runs, so that each is met all the time. */
    public static Bounds draw(RandomGenerator random) {
        return random.nextInt(SELDOM_NARROW) == 0 ? narrow(random) : WIDE;
    }

    private static Bounds narrow(RandomGenerator random) {
        return new Bounds(
                random.nextInt(1, 4),
                random.nextInt(4, 40),
                random.nextInt(1, 3),
                random.nextInt(1, 4),
                1,
                random.nextInt(1, 3),
                random.nextInt(20_000),
                random.nextInt(4, 30),
                random.nextInt(4, 30));
    }
}
