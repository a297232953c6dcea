package org.beefs.queenbee.hive;

/**
 * The part of a honeycomb that is kept free ahead of programs that write there in passthrough, which nobody can stop
 * before the disk is full.
 *
 * @param low when less is free, replicas leave; percent of what it can hold; 0 for never
 * @param high until so much is free; percent likewise
 */
public record WaterMarks(int low, int high) {
    public boolean isShort(Honeycomb honeycomb) {
        return low > 0 && (excess(honeycomb) > 0 || honeycomb.available() < honeycomb.usable() / 100 * low);
    }

    /** Bytes that have to go so that the high-water mark is reached. */
    public long lack(Honeycomb honeycomb) {
        return highMark(honeycomb) + excess(honeycomb) - honeycomb.available();
    }

    /** Bytes that it holds beyond its capacity, which may have been lowered. */
    private static long excess(Honeycomb honeycomb) {
        return Math.max(0, honeycomb.space().getUsed() - honeycomb.space().getCapacity());
    }

    /** Bytes that a copy leaves free at least, so that nothing has to go again. */
    public long highMark(Honeycomb honeycomb) {
        return honeycomb.usable() / 100 * high;
    }
}
