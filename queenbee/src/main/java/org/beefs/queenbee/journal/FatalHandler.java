package org.beefs.queenbee.journal;

/**
 * Ends the queen-bee when it cannot go on: what it could not write it must not serve. In production the process ends,
 * and the next start continues from what was written. Thread-safe.
 */
@FunctionalInterface
public interface FatalHandler {
    /**
     * Ends it.
     *
     * @param what one sentence for people
     */
    void fatal(String what, Throwable cause);
}
