package org.beefs.queenbee.console.model.snapshot;

import java.time.Duration;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.time.Clock;

/** Measures how much the queen-bee is asked. For one thread at a time. */
public final class SpeedMeter {
    private final OperationTimes<?> times;
    private final Clock clock;
    private Reading reading;
    private long readAt;
    private Speed last = Speed.UNKNOWN;

    public SpeedMeter(OperationTimes<?> times, Clock clock) {
        this.times = times;
        this.clock = clock;
        reading = times.total();
        readAt = clock.bootNanos();
    }

    /** The speed over at least a second, so that who asks again at once does not see that of a moment. */
    public Speed measure() {
        Duration time = Duration.ofNanos(clock.bootNanos() - readAt);
        if (time.toSeconds() >= 1) {
            Reading now = times.total();
            last = Speed.between(reading, now, time);
            reading = now;
            readAt += time.toNanos();
        }
        return last;
    }
}
