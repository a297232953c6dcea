package org.beefs.queenbee.replication.placement;

import java.time.Duration;
import org.beefs.queenbee.namespace.Inode;

/**
 * The hive's settings of replication, for files that have none of their own.
 *
 * @param replicas of a file altogether
 * @param timeToCoherence how long after a close secondaries may stay stale
 */
public record Settings(int replicas, Duration timeToCoherence) {
    /** Replicas that a file should have, at least as many as have to be on disk before close returns. */
    public int replicas(Inode inode) {
        return Math.max(inode.replication().replicas().orElse(replicas), pFactor(inode));
    }

    /** How many honeycombs must hold a version on disk before close or fsync returns. */
    public int pFactor(Inode inode) {
        return inode.replication().pFactor().orElse(0);
    }

    public Duration timeToCoherence(Inode inode) {
        return Duration.ofMillis(inode.replication().timeToCoherence().orElse(timeToCoherence.toMillis()));
    }
}
