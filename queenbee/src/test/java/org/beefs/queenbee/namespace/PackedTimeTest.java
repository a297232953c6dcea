package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.Test;

class PackedTimeTest {
    private static final long FIRST = -2_147_483_648L;
    private static final long LAST = FIRST + (1L << 34) - 1;

    @Test
    void shouldGiveBackEveryTimeInItsRange() {
        for (long seconds : new long[] {FIRST, -1, 0, 1_800_000_000L, LAST}) {
            Timestamp time = time(seconds, 999_999_999);
            assertThat(PackedTime.toWire(PackedTime.of(time))).isEqualTo(time);
        }
    }

    @Test
    void shouldCompareLikeTheTimes() {
        assertThat(PackedTime.of(time(FIRST, 0))).isLessThan(PackedTime.of(time(-1, 5)));
        assertThat(PackedTime.of(time(-1, 5))).isLessThan(PackedTime.of(time(0, 0)));
        assertThat(PackedTime.of(time(0, 0))).isLessThan(PackedTime.of(time(0, 1)));
        assertThat(PackedTime.of(time(0, 1))).isLessThan(PackedTime.of(time(LAST, 0)));
    }

    @Test
    void shouldTakeTheNearestOutsideOfItsRange() {
        assertThat(PackedTime.toWire(PackedTime.of(time(FIRST - 1, 7)))).isEqualTo(time(FIRST, 0));
        assertThat(PackedTime.toWire(PackedTime.of(time(LAST + 1, 7)))).isEqualTo(time(LAST, 0));
    }

    @Test
    void shouldGoOnByANanosecond() {
        assertThat(PackedTime.next(PackedTime.of(time(-1, 5)))).isEqualTo(PackedTime.of(time(-1, 6)));
        assertThat(PackedTime.next(PackedTime.of(time(-1, 999_999_999)))).isEqualTo(PackedTime.of(time(0, 0)));
        assertThat(PackedTime.next(PackedTime.of(time(LAST, 999_999_999)))).isEqualTo(PackedTime.of(time(LAST, 0)));
    }

    private static Timestamp time(long seconds, int nanos) {
        return Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
    }
}
