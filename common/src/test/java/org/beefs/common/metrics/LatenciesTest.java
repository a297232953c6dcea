package org.beefs.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.metrics.Latencies.Reading;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private final Latencies latencies = new Latencies();

    @Test
    void shouldTellPercentilesToAQuarter() {
        for (int i = 1; i <= 1000; i++) {
            latencies.took(i * 1000L);
        }

        Reading reading = latencies.read();

        assertThat(reading.total()).isEqualTo(1000);
        assertThat(reading.percentile(0.5)).isBetween(500_000L, 625_000L);
        assertThat(reading.percentile(0.99)).isBetween(990_000L, 1_240_000L);
    }

    @Test
    void shouldTellOnlyWhatCameSince() {
        latencies.took(1_000_000);
        Reading before = latencies.read();
        latencies.took(10);
        latencies.took(0);
        latencies.took(Long.MAX_VALUE);

        Reading since = latencies.read().since(before);

        assertThat(since.total()).isEqualTo(3);
        assertThat(since.percentile(0.1)).isBetween(1L, 2L);
        assertThat(since.percentile(1)).isEqualTo(1L << 37);
        assertThat(before.since(before).percentile(0.5)).isZero();
    }
}
