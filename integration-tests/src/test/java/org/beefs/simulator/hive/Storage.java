package org.beefs.simulator.hive;

import java.util.List;

/**
 * What the desktops of a hive give to it.
 *
 * @param capacities what each desktop can hold as far as the queen-bee is told, in bytes; 0 for none
 * @param replicas of each file
 * @param room as {@code placementRoom} of the queen-bee's configuration, in bytes
 * @param lowWater likewise, in percent
 * @param highWater likewise
 */
public record Storage(List<Long> capacities, int replicas, long room, int lowWater, int highWater) {
    private static final long PLENTY = 1L << 39;

    /** Two honeycombs that are never full, and a desktop without. */
    public static final Storage USUAL = new Storage(List.of(PLENTY, PLENTY, 0L), 3, 1 << 20, 5, 10);

    /** Four honeycombs that are never full: enough are left when two are lost. */
    public static final Storage PLENTIFUL = new Storage(List.of(PLENTY, PLENTY, PLENTY, PLENTY), 2, 1 << 20, 5, 10);

    /** Three honeycombs, of which two are short of space soon. */
    public static final Storage SMALL = new Storage(List.of(40_000L, 80_000L, PLENTY), 2, 4096, 20, 40);
}
