package org.beefs.queenbee.lock;

/** How a lock is held. */
public enum Mode {
    SHARED,
    EXCLUSIVE;

    /** Whether two owners cannot hold the same byte like this. */
    boolean conflictsWith(Mode other) {
        return this == EXCLUSIVE || other == EXCLUSIVE;
    }
}
