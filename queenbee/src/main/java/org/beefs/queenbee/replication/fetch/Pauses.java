package org.beefs.queenbee.replication.fetch;

import java.time.Duration;

/**
 * Pauses before something that has failed is tried again, twice as long each time.
 *
 * @param first after the first failure
 * @param longest however often it has failed
 */
public record Pauses(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 30;

    /** Nanoseconds after so many failures in a row. */
    public long after(int failures) {
        long doubled = first.toNanos() << Math.min(failures - 1, MOST_DOUBLINGS);
        return doubled <= 0 ? longest.toNanos() : Math.min(doubled, longest.toNanos());
    }
}
