package org.beefs.cli.bench.queen;

import java.util.Arrays;

/** How long each answer of some time has taken. Immutable. */
final class ResponseTimes {
    private final long[] sorted;
    private final long elapsedNanos;

    /**
     * Takes the array over.
     *
     * @param nanos each took
     * @param elapsedNanos in which all of them came
     */
    ResponseTimes(long[] nanos, long elapsedNanos) {
        Arrays.sort(nanos);
        sorted = nanos;
        this.elapsedNanos = elapsedNanos;
    }

    int count() {
        return sorted.length;
    }

    double perSecond() {
        return sorted.length * 1e9 / elapsedNanos;
    }

    /** This part of them, above 0 and up to 1, took at most so many nanoseconds; 0 when there were none. */
    long percentile(double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(part * sorted.length) - 1];
    }
}
