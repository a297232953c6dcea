package org.beefs.common.posix;

import java.time.Instant;
import org.beefs.common.wire.Timestamp;

/** Converts between the wire's times and Java's. */
public final class Timestamps {
    /** Hives keep times from 1901 to 2446, as ext4 does: 34 bits of seconds. */
    public static final long FIRST_SECOND = Integer.MIN_VALUE;

    public static final long LAST_SECOND = FIRST_SECOND + (1L << 34) - 1;

    private Timestamps() {}

    public static Timestamp toWire(Instant time) {
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }

    public static Instant toInstant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    /** The time, or the nearest that a hive keeps: Linux lets programs set times beyond. */
    public static Instant nearest(long seconds, int nanos) {
        if (seconds < FIRST_SECOND) {
            return Instant.ofEpochSecond(FIRST_SECOND);
        }
        return seconds > LAST_SECOND ? Instant.ofEpochSecond(LAST_SECOND) : Instant.ofEpochSecond(seconds, nanos);
    }
}
