package org.beefs.common.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. Thread-safe. */
public final class ManualClock implements Clock {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong();

    /** By how much the time of day was set back. */
    private final AtomicLong setBackNanos = new AtomicLong();

    @Override
    public long bootNanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos.get() - setBackNanos.get());
    }

    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    /** Corrects the time of day of a clock that was ahead. */
    public void setBack(Duration by) {
        setBackNanos.addAndGet(by.toNanos());
    }

    void moveTo(long bootNanos) {
        nanos.accumulateAndGet(bootNanos, Math::max);
    }
}
