package org.beefs.queenbee.recovery;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.beefs.queenbee.namespace.Inode;

/** The inodes that there were when a drill began: eight bytes for each. Used by one thread at a time. */
public final class LivingInodes {
    private final long begun;
    private final LongStream.Builder numbers = LongStream.builder();
    private long[] sorted = {};

    /** @param begun the last change that was made before */
    public LivingInodes(long begun) {
        this.begun = begun;
    }

    /** Takes inodes one after the other, on the namespace thread. */
    public void see(Inode inode) {
        numbers.accept(inode.number());
    }

    /** All were seen. */
    public void end() {
        sorted = numbers.build().sorted().toArray();
    }

    /** Whether a rebuilt inode has not changed since, and so would have been there, and was not. */
    boolean lacks(Inode rebuilt) {
        return rebuilt.changed() <= begun && Arrays.binarySearch(sorted, rebuilt.number()) < 0;
    }
}
