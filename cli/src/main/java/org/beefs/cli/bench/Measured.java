package org.beefs.cli.bench;

import org.beefs.cli.process.ProcessUsage;

/**
 * What a phase took once.
 *
 * @param cpuSeconds of the daemons behind the directory while it lasted
 * @param switches of context of their threads likewise
 * @param residentBytes of their memory at its end
 */
record Measured(double seconds, double cpuSeconds, double switches, double residentBytes) {
    static final Measured NOTHING = new Measured(0, 0, 0, 0);

    private static final double NANOS_PER_SECOND = 1e9;

    static Measured of(long nanos, ProcessUsage daemons) {
        return new Measured(
                nanos / NANOS_PER_SECOND,
                daemons.cpuNanos() / NANOS_PER_SECOND,
                daemons.switches(),
                daemons.residentBytes());
    }

    /** Both, one after the other. */
    Measured then(Measured next) {
        return new Measured(
                seconds + next.seconds,
                cpuSeconds + next.cpuSeconds,
                switches + next.switches,
                Math.max(residentBytes, next.residentBytes));
    }
}
