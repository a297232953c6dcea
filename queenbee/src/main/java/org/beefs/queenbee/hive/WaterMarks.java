package org.beefs.queenbee.hive;

/**
 * The part of a honeycomb that is kept free ahead of programs that write there in passthrough, which nobody can stop
 * before the disk is full.
 *
 * @param low when less is free, replicas leave; percent of what it can hold
 * @param high until so much is free; percent likewise
 */
public record WaterMarks(int low, int high) {
    public boolean isShort(Honeycomb honeycomb) {
        return honeycomb.available() < honeycomb.usable() / 100 * low;
    }

    /** Bytes that have to go so that the high-water mark is reached. */
    public long lack(Honeycomb honeycomb) {
        return highMark(honeycomb) - honeycomb.available();
    }

    /** Bytes that a copy leaves free at least, so that nothing has to go again. */
    public long highMark(Honeycomb honeycomb) {
        return honeycomb.usable() / 100 * high;
    }
}
