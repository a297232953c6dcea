package org.beefs.simulator.kernel;

/** A fault planted between kernel and daemon. */
public enum Flaw {
    NONE,
    /** Content that was read once is never dropped. */
    KEEPS_PAGES,
    /** FLUSH and FSYNC succeed, whatever the daemon says. */
    SWALLOWS_FAILURES
}
