package org.beefs.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.time.Clock;

/** Goes on whenever somebody looks at it. */
public final class TickingClock implements Clock {
    private final Duration step;
    private final AtomicLong nanos = new AtomicLong();

    public TickingClock(Duration step) {
        this.step = step;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH;
    }

    @Override
    public long bootNanos() {
        return nanos.addAndGet(step.toNanos());
    }
}
