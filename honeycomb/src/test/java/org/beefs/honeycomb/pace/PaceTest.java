package org.beefs.honeycomb.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.config.ByteSize;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.UserActivity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
    private static final long MIB = 1L << 20;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTimers timers = new ManualTimers();
    private double pressure;
    private UserActivity activity = UserActivity.UNKNOWN;
    private final Pace pace = new Pace(timers.clock(), timers, () -> pressure, () -> activity, new ByteSize(4 * MIB));

    @Test
    void shouldAdmitAsMuchInASecondAsTheRateSays() {
        assertThat(admit(4 * MIB)).isCompletedWithValue(true);
        CompletableFuture<Boolean> next = admit(2 * MIB);
        CompletableFuture<Boolean> last = admit(MIB);

        timers.advance(SECOND.minusMillis(1));
        assertThat(next).isNotDone();
        timers.advance(Duration.ofMillis(1));
        assertThat(next).isCompletedWithValue(true);
        assertThat(last).isNotDone();
        timers.advance(SECOND.dividedBy(2));
        assertThat(last).isCompletedWithValue(true);
    }

    @Test
    void shouldCountFromWhenTheOtherEndLetsItBegin() {
        assertThat(admit(4 * MIB)).isCompletedWithValue(true);
        timers.advance(SECOND.dividedBy(2));
        pace.beginsNow(4 * MIB);

        CompletableFuture<Boolean> next = admit(MIB);

        timers.advance(SECOND.minusMillis(1));
        assertThat(next).isNotDone();
        timers.advance(Duration.ofMillis(1));
        assertThat(next).isCompletedWithValue(true);
    }

    @Test
    void shouldSaveNothingUp() {
        timers.advance(Duration.ofHours(1));

        assertThat(admit(4 * MIB)).isCompletedWithValue(true);
        assertThat(admit(4 * MIB)).isNotDone();
    }

    @Test
    void shouldGoAtFullSpeedWhileThereIsLittlePressure() {
        pressure = 9;
        admit(4 * MIB);
        CompletableFuture<Boolean> next = admit(MIB);

        timers.advance(SECOND);

        assertThat(next).isCompletedWithValue(true);
    }

    @Test
    void shouldSlowDownWithPressureButNeverStop() {
        pressure = 20;
        admit(4 * MIB);
        CompletableFuture<Boolean> next = admit(MIB);
        timers.advance(SECOND.multipliedBy(3));
        assertThat(next).isNotDone();
        timers.advance(SECOND);
        assertThat(next).isCompletedWithValue(true);

        pressure = 100;
        timers.advance(Duration.ofHours(1));
        admit(4 * MIB);
        CompletableFuture<Boolean> slow = admit(MIB);
        timers.advance(SECOND.multipliedBy(15));
        assertThat(slow).isNotDone();
        timers.advance(SECOND);
        assertThat(slow).isCompletedWithValue(true);
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "19, 4", "30, 7", "100, 16"})
    void shouldGoAtAQuarterOfItsRateAtMostWhileSomebodyUsesTheMachine(double percent, int seconds) {
        activity = UserActivity.ACTIVE;
        pressure = percent;
        admit(4 * MIB);
        CompletableFuture<Boolean> next = admit(MIB);

        timers.advance(SECOND.multipliedBy(seconds).minusMillis(1));
        assertThat(next).isNotDone();
        timers.advance(Duration.ofMillis(1));
        assertThat(next).isCompletedWithValue(true);
    }

    @Test
    void shouldGoAtFullSpeedWhenTheUserIsIdleAgain() {
        activity = UserActivity.ACTIVE;
        admit(MIB);
        activity = UserActivity.IDLE;
        timers.advance(SECOND);

        admit(4 * MIB);
        CompletableFuture<Boolean> next = admit(MIB);
        timers.advance(SECOND);

        assertThat(next).isCompletedWithValue(true);
    }

    @Test
    void shouldSayNoAtTheEndOfTheTime() {
        admit(8 * MIB);
        CompletableFuture<Boolean> tooLate = pace.admit(MIB, timers.clock().bootNanos() + SECOND.toNanos());

        timers.advance(SECOND.minusMillis(1));
        assertThat(tooLate).isNotDone();
        timers.advance(Duration.ofMillis(1));
        assertThat(tooLate).isCompletedWithValue(false);
        CompletableFuture<Boolean> other = admit(MIB);
        timers.advance(SECOND);
        assertThat(other).as("nobody pays for what was not copied").isCompletedWithValue(true);
    }

    @Test
    void shouldAdmitNothingWhileItIsPaused() {
        pace.pause(Duration.ofHours(1));
        CompletableFuture<Boolean> waiting = admit(MIB);
        timers.advance(Duration.ofMinutes(59));
        assertThat(waiting).isNotDone();
        assertThat(pace.paused()).isEqualTo(Duration.ofMinutes(1));

        timers.advance(Duration.ofMinutes(1));

        assertThat(waiting).isCompletedWithValue(true);
        assertThat(pace.paused()).isZero();
    }

    @Test
    void shouldGoOnWhenAPauseIsEnded() {
        pace.pause(Duration.ofHours(1));

        pace.pause(Duration.ZERO);

        assertThat(pace.paused()).isZero();
        assertThat(admit(MIB)).isCompletedWithValue(true);
    }

    private CompletableFuture<Boolean> admit(long bytes) {
        return pace.admit(bytes, Long.MAX_VALUE);
    }
}
