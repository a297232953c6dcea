package org.beefs.common.time;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import org.beefs.common.linux.Libc;

/**
 * The clocks of this machine. On Linux the boot clock is CLOCK_BOOTTIME, because {@link System#nanoTime} stands still while
 * the machine sleeps, and a lease does not. Thread-safe.
 */
@ProductionOnly
public final class SystemClock implements Clock {
    private static final int CLOCK_BOOTTIME = 7;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final boolean linux = System.getProperty("os.name", "").startsWith("Linux");

    /** A struct timespec for each thread; freed with the thread. */
    private final ThreadLocal<MemorySegment> timespec =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(16, 8));

    @Override
    public long bootNanos() {
        if (!linux) {
            return System.nanoTime();
        }
        MemorySegment time = timespec.get();
        int result = Libc.clockGettime(CLOCK_BOOTTIME, time);
        if (result < 0) {
            throw new IllegalStateException("the kernel has no CLOCK_BOOTTIME: errno " + -result);
        }
        return time.get(ValueLayout.JAVA_LONG, 0) * NANOS_PER_SECOND + time.get(ValueLayout.JAVA_LONG, 8);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }
}
