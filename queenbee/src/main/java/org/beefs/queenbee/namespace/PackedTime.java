package org.beefs.queenbee.namespace;

import java.time.Instant;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Timestamp;

/**
 * Times in 64 bits with nanoseconds: 34 bits of seconds and 30 of nanoseconds, as ext4 keeps them, from 1901 to 2446.
 * What lies outside becomes the nearest that can be kept, as Linux does. Packed times compare like numbers.
 */
public final class PackedTime {
    private static final int NANO_BITS = 30;
    private static final long NANO_MASK = (1L << NANO_BITS) - 1;
    private static final int LAST_NANO = 999_999_999;

    /** Moves the range of seconds to the middle of that of 34 bits, so that the order is that of signed numbers. */
    private static final long SHIFT = Timestamps.FIRST_SECOND + (1L << 33);

    private PackedTime() {}

    public static long of(Instant time) {
        return pack(time.getEpochSecond(), time.getNano());
    }

    public static long of(Timestamp time) {
        return pack(time.getSeconds(), time.getNanos());
    }

    public static Timestamp toWire(long packed) {
        return Timestamp.newBuilder()
                .setSeconds((packed >> NANO_BITS) + SHIFT)
                .setNanos((int) (packed & NANO_MASK))
                .build();
    }

    /** A nanosecond later; the last second that can be kept begins anew after its end. */
    static long next(long packed) {
        Timestamp time = toWire(packed);
        return time.getNanos() < LAST_NANO ? packed + 1 : pack(time.getSeconds() + 1, 0);
    }

    private static long pack(long seconds, int nanos) {
        if (seconds < Timestamps.FIRST_SECOND) {
            return pack(Timestamps.FIRST_SECOND, 0);
        }
        if (seconds > Timestamps.LAST_SECOND) {
            return pack(Timestamps.LAST_SECOND, 0);
        }
        return ((seconds - SHIFT) << NANO_BITS) | Math.clamp(nanos, 0, LAST_NANO);
    }
}
