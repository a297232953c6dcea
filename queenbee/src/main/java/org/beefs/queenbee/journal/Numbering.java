package org.beefs.queenbee.journal;

/**
 * How the queen-bee numbers inodes, sessions, versions, epochs and changes: one higher than the last, and above everything
 * that an earlier start could have numbered. So a number that was lost with an unsynced tail is never issued again.
 */
public final class Numbering {
    /** Bits below the incarnation: enough for a million numbers a second during twelve days. */
    private static final int COUNTER_BITS = 40;

    private static final long MAX_INCARNATION = (1L << (63 - COUNTER_BITS)) - 1;

    private final long base;

    public Numbering(long incarnation) {
        if (incarnation < 1 || incarnation > MAX_INCARNATION) {
            throw new IllegalArgumentException("incarnation " + incarnation + " is out of range");
        }
        base = incarnation << COUNTER_BITS;
    }

    /** The lowest number of this incarnation. */
    public long base() {
        return base;
    }

    /** The number that follows the given one. */
    public long after(long last) {
        long next = Math.max(last + 1, base);
        if (next - base >= 1L << COUNTER_BITS) {
            throw new IllegalStateException("the numbers of this incarnation are used up; a restart makes new ones");
        }
        return next;
    }
}
