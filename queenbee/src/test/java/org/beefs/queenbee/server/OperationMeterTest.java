package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.queenbee.server.OperationMeter.Reading;
import org.junit.jupiter.api.Test;

class OperationMeterTest {
    private final OperationMeter meter = new OperationMeter();

    @Test
    void shouldTellPercentilesToAQuarter() {
        for (int i = 1; i <= 1000; i++) {
            meter.took(i * 1000L);
        }

        Reading reading = meter.read();

        assertThat(reading.total()).isEqualTo(1000);
        assertThat(reading.percentile(0.5)).isBetween(500_000L, 625_000L);
        assertThat(reading.percentile(0.99)).isBetween(990_000L, 1_240_000L);
    }

    @Test
    void shouldTellOnlyWhatCameSince() {
        meter.took(1_000_000);
        Reading before = meter.read();
        meter.took(10);
        meter.took(0);
        meter.took(Long.MAX_VALUE);

        Reading since = meter.read().since(before);

        assertThat(since.total()).isEqualTo(3);
        assertThat(since.percentile(0.1)).isBetween(1L, 2L);
        assertThat(since.percentile(1)).isEqualTo(1L << 37);
        assertThat(before.since(before).percentile(0.5)).isZero();
    }
}
