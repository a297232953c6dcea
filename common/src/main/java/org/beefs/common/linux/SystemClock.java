package org.beefs.common.linux;

import java.time.Instant;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;

/**
 * The clocks of this machine. On Linux the boot clock is CLOCK_BOOTTIME, because {@link System#nanoTime} stands still
 * while the machine sleeps, and a lease does not. Thread-safe.
 */
@ProductionOnly
public final class SystemClock implements Clock {
    private static final int CLOCK_BOOTTIME = 7;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final boolean linux = System.getProperty("os.name", "").startsWith("Linux");

    @Override
    public long bootNanos() {
        if (!linux) {
            return System.nanoTime();
        }
        long[] time = new long[2]; // a struct timespec
        if (Libc.clockGettime(CLOCK_BOOTTIME, time) != 0) {
            throw new IllegalStateException("the kernel has no CLOCK_BOOTTIME");
        }
        return time[0] * NANOS_PER_SECOND + time[1];
    }

    @Override
    public Instant now() {
        return Instant.now();
    }
}
