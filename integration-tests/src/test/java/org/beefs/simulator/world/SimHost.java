package org.beefs.simulator.world;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.beefs.common.time.Clock;

/**
 * A machine: an address, and clocks that run a little too fast or too slow, one of which is the time of day, and may be
 * set.
 */
public final class SimHost {
    /** The time of day at which a run begins. */
    public static final Instant EPOCH = Instant.parse("2026-11-21T09:00:00Z");

    private static final long AWAKE = -1;

    private final String name;
    private final InetAddress address;
    private final SimScheduler scheduler;
    private final Clock clock;
    private long offsetNanos;
    private long slept;
    private long sleepsSince = AWAKE;

    /**
     * @param number 1 to 254; the last byte of its address
     * @param offsetNanos how much its time of day is ahead at first
     * @param driftPerMillion how many microseconds its clocks gain in a second
     */
    public SimHost(String name, int number, SimScheduler scheduler, long offsetNanos, int driftPerMillion) {
        this.name = name;
        this.scheduler = scheduler;
        this.offsetNanos = offsetNanos;
        try {
            this.address = InetAddress.getByAddress(name, new byte[] {10, 0, 0, (byte) number});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
        this.clock = new Clock() {
            @Override
            public long bootNanos() {
                return scheduler.now() + scheduler.now() / 1_000_000 * driftPerMillion;
            }

            @Override
            public Instant now() {
                return EPOCH.plusNanos(timeOfDay());
            }
        };
    }

    public String name() {
        return name;
    }

    public InetAddress address() {
        return address;
    }

    public Clock clock() {
        return clock;
    }

    /** Sets the time of day, to so much ahead of the right one. */
    public void setTimeOfDay(long aheadNanos) {
        offsetNanos = aheadNanos;
    }

    /** For sabotage: clocks of whom the one that nobody can set is replaced by another. */
    public Clock clockCountedBy(LongSupplier nanos) {
        return new Clock() {
            @Override
            public long bootNanos() {
                return nanos.getAsLong();
            }

            @Override
            public Instant now() {
                return clock.now();
            }
        };
    }

    /** The time of day, in nanoseconds from that at which a run begins. */
    public long timeOfDay() {
        return offsetNanos + clock.bootNanos();
    }

    /** The machine sleeps: its clocks go on, but for the one by which the kernel counts lifetimes. */
    public void fallAsleep() {
        if (sleepsSince == AWAKE) {
            sleepsSince = scheduler.now();
        }
    }

    public void wakeUp() {
        slept = scheduler.now() - kernelNanos();
        sleepsSince = AWAKE;
    }

    public boolean isAsleep() {
        return sleepsSince != AWAKE;
    }

    /** The clock by which the kernel counts lifetimes: stands still while the machine sleeps. */
    public long kernelNanos() {
        return (isAsleep() ? sleepsSince : scheduler.now()) - slept;
    }

    @Override
    public String toString() {
        return name;
    }
}
