package org.beefs.simulator.hive;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.beefs.common.config.ByteSize;

/**
 * What the desktops of a hive give to it.
 *
 * @param capacities what each desktop can hold as far as the queen-bee is told, in bytes; 0 for none
 * @param replicas of each file
 * @param room as {@code placementRoom} of the queen-bee's configuration, in bytes
 * @param lowWater likewise, in percent
 * @param highWater likewise
 * @param replicateOnRead likewise
 * @param repair when and how fast replicas are made again
 */
public record Storage(
        List<Long> capacities,
        int replicas,
        long room,
        int lowWater,
        int highWater,
        int replicateOnRead,
        Repair repair) {
    private static final long PLENTY = 1L << 39;

    /**
     * What becomes of replicas on desktops that stay away.
     *
     * @param graceTime as the queen-bee's configuration has it
     * @param copyBudget likewise
     * @param copyRate as each honeycomb's configuration has it
     */
    public record Repair(Duration graceTime, ByteSize copyBudget, ByteSize copyRate) {
        /**
         * The grace time is shorter than the longest faults, and over before the lease: who is away for longer than a
         * lease is lost.
         */
        static final Repair USUAL = new Repair(Duration.ofSeconds(10), new ByteSize(1L << 30), new ByteSize(64L << 20));

        static final Repair SLOW = new Repair(USUAL.graceTime(), USUAL.copyBudget(), new ByteSize(1L << 20));
    }

    /** Two honeycombs that are never full, and a desktop without. */
    public static final Storage USUAL = new Storage(List.of(PLENTY, PLENTY, 0L), 3, 1 << 20, 5, 10, 0, Repair.USUAL);

    /**
     * Four honeycombs that are never full: enough are left when two are lost. Copies that nobody waits for take a
     * while, so that those which somebody waits for pass them by.
     */
    public static final Storage PLENTIFUL =
            new Storage(List.of(PLENTY, PLENTY, PLENTY, PLENTY), 2, 1 << 20, 5, 10, 10, Repair.SLOW);

    /** Three honeycombs, of which two are short of space soon. */
    public static final Storage SMALL =
            new Storage(List.of(40_000L, 80_000L, PLENTY), 2, 4096, 20, 40, 20, Repair.USUAL);

    /**
     * Three honeycombs, and one replica of each file but for those that are read elsewhere; on one desktop there is
     * room for a few of these.
     */
    public static final Storage SINGLE =
            new Storage(List.of(PLENTY, 200_000L, PLENTY), 1, 4096, 5, 10, 10, Repair.USUAL);

    /** How many replicas each file has for certain in a hive at rest: some have fewer that are short of space. */
    int leastReplicas() {
        long roomy = capacities.stream().filter(capacity -> capacity == PLENTY).count();
        return (int) Math.min(replicas, roomy);
    }

    /** So many honeycombs that are never full. */
    public static Storage of(int honeycombs, Repair repair) {
        return new Storage(Collections.nCopies(honeycombs, PLENTY), 3, 1 << 20, 5, 10, 0, repair);
    }
}
