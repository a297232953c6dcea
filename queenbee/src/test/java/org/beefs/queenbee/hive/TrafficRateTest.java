package org.beefs.queenbee.hive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrafficRateTest {
    private static final long SECOND = 1_000_000_000L;

    private final TrafficRate rate = new TrafficRate();

    @Test
    void shouldKnowNothingFromOneHeartbeat() {
        rate.told(5000, SECOND);

        assertThat(rate.perSecond()).isZero();
    }

    @Test
    void shouldTellWhatCameBetweenTheLastTwo() {
        rate.told(5000, SECOND);
        rate.told(7000, 3 * SECOND);
        assertThat(rate.perSecond()).isEqualTo(1000);

        rate.told(7000, 5 * SECOND);
        assertThat(rate.perSecond()).isZero();
    }

    @Test
    void shouldBeginAnewWithAnotherDaemon() {
        rate.told(5000, SECOND);
        rate.told(100, 3 * SECOND);
        assertThat(rate.perSecond()).isZero();

        rate.told(300, 5 * SECOND);
        assertThat(rate.perSecond()).isEqualTo(100);
    }

    @Test
    void shouldTellNothingWhileNobodyIsThere() {
        rate.told(5000, SECOND);
        rate.told(7000, 3 * SECOND);

        rate.stop();

        assertThat(rate.perSecond()).isZero();
    }
}
