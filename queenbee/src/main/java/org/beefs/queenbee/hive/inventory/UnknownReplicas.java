package org.beefs.queenbee.hive.inventory;

import org.beefs.common.wire.ReplicaName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of one honeycomb that belong to no file that the queen-bee knows or has removed. They are kept, and people
 * are told how many there are, once for each number of them. Belongs to the namespace thread.
 */
public final class UnknownReplicas {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownReplicas.class);

    private @Nullable ReplicaName first;
    private long count;
    private long told;

    /** A new inventory begins. */
    void begin() {
        first = null;
        count = 0;
    }

    /** The inventory shows one. */
    public void add(ReplicaName replica) {
        if (first == null) {
            first = replica;
        }
        count++;
    }

    long count() {
        return count;
    }

    /** The inventory has ended. */
    void tell(String desktop) {
        if (first != null && count != told) {
            LOG.warn(
                    "{} replicas of files that this queen-bee does not know are kept on {} (the first is {}); perhaps a copy of"
                            + " her state was restored, or the power failed",
                    count,
                    desktop,
                    "%016x.%08x".formatted(first.getInode(), first.getGeneration()));
        }
        told = count;
        begin();
    }
}
