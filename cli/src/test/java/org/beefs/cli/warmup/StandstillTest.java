package org.beefs.cli.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.common.time.ManualClock;
import org.junit.jupiter.api.Test;

class StandstillTest {
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final ManualClock clock = new ManualClock();
    private final Standstill standstill = new Standstill(clock);

    @Test
    void shouldLastUntilSomethingComes() {
        assertThat(exceedsWithin(PATIENCE)).isFalse();
        standstill.end();
        assertThat(exceedsWithin(PATIENCE)).isFalse();

        assertThat(exceedsWithin(LOOK)).isTrue();
    }

    @Test
    void shouldBeginAnewWhenTheMachineHasSlept() {
        assertThat(exceedsWithin(Duration.ofMinutes(4))).isFalse();

        standstill.pause(() -> clock.advance(Duration.ofHours(8)));

        assertThat(standstill.exceeds(PATIENCE)).isFalse();
        assertThat(exceedsWithin(PATIENCE)).isFalse();
        assertThat(exceedsWithin(LOOK)).isTrue();
    }

    /** As over a slow network. */
    @Test
    void shouldTakeNoLongLookForASleep() {
        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofSeconds(90));
            assertThat(exceedsWithin(LOOK)).isFalse();
        }

        clock.advance(Duration.ofSeconds(90));

        assertThat(standstill.exceeds(PATIENCE)).isTrue();
    }

    /** Whether it does so at any look in that time. */
    private boolean exceedsWithin(Duration time) {
        boolean exceeds = false;
        for (Duration left = time; left.isPositive() && !exceeds; left = left.minus(LOOK)) {
            standstill.pause(() -> clock.advance(LOOK));
            exceeds = standstill.exceeds(PATIENCE);
        }
        return exceeds;
    }
}
