package org.beefs.queenbee.journal;

import java.util.Objects;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.Count;
import org.beefs.common.linux.Inodes;

/**
 * How large a disk is, and how much of it is free.
 *
 * @param capacity bytes; 0 when it is not known
 * @param available bytes that are free for who is not root
 * @param inodes how many files it takes
 */
public record DiskSpace(long capacity, long available, Inodes inodes) {
    public static final DiskSpace UNKNOWN = new DiskSpace(0, 0, Inodes.UNLIMITED);

    /** {@code inodes} may be null: older versions wrote none. */
    public DiskSpace {
        inodes = Objects.requireNonNullElse(inodes, Inodes.UNLIMITED);
    }

    /**
     * Bytes below which there is little: a compaction may write hundreds of MB before it removes what they replace, and
     * people need time to act.
     */
    private static final long LITTLE_BYTES = 1L << 30;

    /** Percent below which there is little on a disk below 5 GiB, where 1 GiB might never be free. */
    private static final int LITTLE_PERCENT = 20;

    /**
     * Whether it may soon be full: less than 1 GiB is free, or less than 20 % of a disk for which that is less, or
     * hardly any inodes are.
     */
    public boolean hasLittleRoom() {
        return hasLittleSpace() || inodes.areScarce();
    }

    private boolean hasLittleSpace() {
        return available < Math.min(LITTLE_BYTES, capacity / 100 * LITTLE_PERCENT);
    }

    /** The free bytes, or the free inodes where only these are scarce; for people. */
    public String left() {
        return inodes.areScarce() && !hasLittleSpace()
                ? Count.of(inodes.free(), "inode", "inodes")
                : new ByteSize(available).toString();
    }
}
