package org.beefs.queenbee.journal;

/**
 * How large a disk is, and how much of it is free.
 *
 * @param capacity bytes; 0 when it is not known
 * @param available bytes that are free for who is not root
 */
public record DiskSpace(long capacity, long available) {
    public static final DiskSpace UNKNOWN = new DiskSpace(0, 0);

    /** A compaction may write hundreds of MB before it removes what they replace, and people need time to act. */
    private static final long LITTLE_BYTES = 1L << 30;

    /** On disks below 5 GiB, where 1 GiB might never be free. */
    private static final int LITTLE_PERCENT = 20;

    /** Whether it may soon be full: less than 1 GiB is free, or less than 20 % of a disk for which that is less. */
    public boolean hasLittleRoom() {
        return available < Math.min(LITTLE_BYTES, capacity / 100 * LITTLE_PERCENT);
    }
}
