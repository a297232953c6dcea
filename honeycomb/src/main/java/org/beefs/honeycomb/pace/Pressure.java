package org.beefs.honeycomb.pace;

/** How much programs on this machine wait for it. Thread-safe. */
@FunctionalInterface
public interface Pressure {
    /** The pressure where nobody can tell. */
    Pressure UNKNOWN = () -> 0;

    /**
     * Percent of the last time, ten seconds at most, in which some program waited for a disk or a processor: the higher
     * of both.
     */
    double percent();
}
