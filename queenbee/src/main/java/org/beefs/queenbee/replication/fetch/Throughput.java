package org.beefs.queenbee.replication.fetch;

import org.beefs.common.config.ByteSize;
import org.beefs.common.time.Clock;

/**
 * How fast copies are made in the whole hive: an average in which what is longer ago counts less. Belongs to the
 * namespace thread.
 */
public final class Throughput {
    /** The part of the weight of all that was before which is left after a tick. */
    private static final double FADING = 0.95;

    private static final double NANOS = 1e9;

    private final Clock clock;
    private long lastTick;
    private long copied;
    private double bytes;
    private double seconds;

    public Throughput(Clock clock) {
        this.clock = clock;
        this.lastTick = clock.bootNanos();
    }

    public void copied(long more) {
        copied = ByteSize.sum(copied, more);
    }

    /**
     * Called now and then.
     *
     * @param busy whether anything was being copied since the last tick; other time does not count
     */
    public void tick(boolean busy) {
        long now = clock.bootNanos();
        if (busy || copied > 0) {
            bytes = bytes * FADING + copied;
            seconds = seconds * FADING + (now - lastTick) / NANOS;
            copied = 0;
        }
        lastTick = now;
    }

    /** Bytes a second; 0 when it is not known. */
    public long perSecond() {
        return seconds == 0 ? 0 : Math.round(bytes / seconds);
    }
}
