package org.beefs.queenbee.hive.inventory;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What a honeycomb should list of the ranges of its inventory that differ, and has not listed so far. Belongs to the
 * namespace thread.
 */
public final class UnlistedReplicas {
    static final UnlistedReplicas NONE = new UnlistedReplicas(LongStream.empty());

    /** Inodes, ascending. */
    private final long[] expected;

    /** Which of them were listed. */
    private final BitSet listed = new BitSet();

    /** @param expected inodes of which the honeycomb should have replicas */
    UnlistedReplicas(LongStream expected) {
        this.expected = expected.sorted().distinct().toArray();
    }

    /** There is a replica of this inode, whatever it is like. */
    public void listed(long inode) {
        int found = Arrays.binarySearch(expected, inode);
        if (found >= 0) {
            listed.set(found);
        }
    }

    /** Inodes of those that were not listed. */
    public LongStream inodes() {
        return IntStream.range(0, expected.length).filter(i -> !listed.get(i)).mapToLong(i -> expected[i]);
    }
}
