package org.beefs.queenbee.recovery;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.beefs.queenbee.namespace.Inode;

/** Which inodes there were when a drill began: eight bytes for each. Used by one thread at a time. */
public final class LivingInodes {
    private final long highest;
    private final LongStream.Builder numbers = LongStream.builder();
    private long[] sorted = {};

    /** @param highest the highest number that was issued before */
    public LivingInodes(long highest) {
        this.highest = highest;
    }

    /** Takes one after the other, on the namespace thread. */
    public void see(Inode inode) {
        numbers.accept(inode.number());
    }

    /** All were seen. */
    public void end() {
        sorted = numbers.build().sorted().toArray();
    }

    /** Whether an inode could have been there, and was not. */
    boolean lacks(long inode) {
        return inode <= highest && Arrays.binarySearch(sorted, inode) < 0;
    }
}
