package org.beefs.common.posix;

import java.time.Instant;
import org.beefs.common.wire.Timestamp;

/** Between the wire's times and Java's. */
public final class Timestamps {
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

    /** The time, or the nearest that Java has: Linux lets programs set times beyond. */
    public static Instant nearest(long seconds, int nanos) {
        if (seconds < Instant.MIN.getEpochSecond()) {
            return Instant.MIN;
        }
        return seconds > Instant.MAX.getEpochSecond() ? Instant.MAX : Instant.ofEpochSecond(seconds, nanos);
    }
}
