package org.beefs.honeycomb.maintenance;

import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.PosixException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that what the queen-bee asks for again and again fails: when that begins, and not before it has gone
 * well meanwhile. She asks every few seconds, for as long as a disk is full. Thread-safe.
 */
final class RepeatedFailures {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedFailures.class);

    private final AtomicBoolean removing = new AtomicBoolean();
    private final AtomicBoolean keepingRecords = new AtomicBoolean();

    /** @param failure the first one of a request's replicas; null if all were removed */
    void removedReplicas(@Nullable PosixException failure) {
        if (failure == null) {
            removing.set(false);
        } else if (!removing.getAndSet(true)) {
            LOG.error("removing a replica failed: {}", failure.getMessage());
        }
    }

    /** @param failure null if they were kept */
    void keptRecords(@Nullable PosixException failure) {
        if (failure == null) {
            keepingRecords.set(false);
        } else if (!keepingRecords.getAndSet(true)) {
            LOG.warn(
                    "what this desktop is to remember for a recovery cannot be written, which is tried again and again: {}",
                    failure.getMessage());
        }
    }
}
