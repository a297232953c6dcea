package org.beefs.cli.bench.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ResponseTimesTest {
    @Test
    void shouldTellHowLongAPartHasTakenAtMost() {
        ResponseTimes times = new ResponseTimes(
                LongStream.rangeClosed(1, 1000).map(nanos -> 1001 - nanos).toArray(), 2_000_000_000);
        assertThat(times.percentile(0.5)).isEqualTo(500);
        assertThat(times.percentile(0.99)).isEqualTo(990);
        assertThat(times.percentile(1)).isEqualTo(1000);
        assertThat(times.perSecond()).isEqualTo(500);
    }

    @Test
    void shouldTellOfNothing() {
        ResponseTimes times = new ResponseTimes(new long[0], 1_000_000_000);
        assertThat(times.percentile(0.99)).isZero();
        assertThat(times.perSecond()).isZero();
    }
}
