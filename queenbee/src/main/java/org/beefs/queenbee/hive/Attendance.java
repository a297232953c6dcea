package org.beefs.queenbee.hive;

import java.time.Duration;

/**
 * How much of the last days a honeycomb was there: an exponentially decaying average, of which half is forgotten in
 * {@link #HALF_LIFE}.
 *
 * @param share 0 for never, 1 for always
 */
public record Attendance(double share) {
    /** A weekend or a holiday weighs little against it, another job does not. */
    static final Duration HALF_LIFE = Duration.ofDays(7);

    /** The attendance of a newcomer. */
    static final Attendance UNKNOWN = new Attendance(0.5);

    private static final double THOUSANDTHS = 1000;

    static Attendance ofThousandths(int thousandths) {
        return new Attendance(thousandths / THOUSANDTHS);
    }

    public int thousandths() {
        return (int) Math.round(share * THOUSANDTHS);
    }

    /** The attendance after some more time in which the honeycomb was there, or was not. */
    Attendance after(Duration time, boolean there) {
        double kept = Math.pow(0.5, (double) time.toNanos() / HALF_LIFE.toNanos());
        return new Attendance(share * kept + (there ? 1 - kept : 0));
    }
}
