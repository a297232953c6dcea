package org.beefs.queenbee.console.model.snapshot;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.beefs.common.metrics.Latencies.Reading;

/**
 * What the queen-bee was asked between two readings.
 *
 * @param medianMicros half of it took at most so long
 * @param slowMicros 99 of 100 did
 */
public record Speed(double operationsPerSecond, long medianMicros, long slowMicros) {
    public static final Speed UNKNOWN = new Speed(0, 0, 0);

    public static Speed between(Reading earlier, Reading later, Duration time) {
        Reading reading = later.since(earlier);
        return new Speed(
                time.isZero() ? 0 : reading.total() * 1000.0 / time.toMillis(),
                TimeUnit.NANOSECONDS.toMicros(reading.percentile(0.5)),
                TimeUnit.NANOSECONDS.toMicros(reading.percentile(0.99)));
    }
}
