package org.beefs.common.replica;

import org.beefs.common.wire.ReplicaStatus;

/**
 * Whether a look at a replica can be believed, and which of several was the last: reports of them come in any order,
 * their numbers do not lie.
 */
public final class Observations {
    private Observations() {}

    /**
     * Whether a replica can have been seen like this: sizes are unsigned on the wire, and no file has such a large one.
     */
    public static boolean isPossible(ReplicaStatus status) {
        return status.getSize() >= 0 && status.getBlocks() >= 0;
    }

    /** Whether a number is higher than another, both without sign. */
    public static boolean isLater(long observation, long other) {
        return Long.compareUnsigned(observation, other) > 0;
    }

    /** Whether a replica was seen like this after it was seen like the other. */
    public static boolean isLater(ReplicaStatus status, ReplicaStatus other) {
        return isLater(status.getObservation(), other.getObservation());
    }

    /** What the replica was seen like last. */
    public static ReplicaStatus latest(ReplicaStatus one, ReplicaStatus other) {
        return isLater(other, one) ? other : one;
    }
}
