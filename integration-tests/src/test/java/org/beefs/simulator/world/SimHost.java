package org.beefs.simulator.world;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import org.beefs.common.time.Clock;

/**
 * A machine: an address, and clocks that are off by a constant and run a little too fast or too slow.
 */
public final class SimHost {
    /** The time of day at which a run begins. */
    public static final Instant EPOCH = Instant.parse("2026-11-21T09:00:00Z");

    private final String name;
    private final InetAddress address;
    private final Clock clock;

    /**
     * @param number 1 to 254; the last byte of its address
     * @param offsetNanos how much its time of day is ahead
     * @param driftPerMillion how many microseconds its clocks gain in a second
     */
    public SimHost(String name, int number, SimScheduler scheduler, long offsetNanos, int driftPerMillion) {
        this.name = name;
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
                return EPOCH.plusNanos(offsetNanos).plusNanos(bootNanos());
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

    @Override
    public String toString() {
        return name;
    }
}
