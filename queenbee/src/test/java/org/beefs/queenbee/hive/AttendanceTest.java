package org.beefs.queenbee.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is long ago counts little, and it does not matter in how many pieces time passes. */
class AttendanceTest {
    private static final Duration WEEK = Duration.ofDays(7);

    @Test
    void shouldForgetHalfInAWeek() {
        assertThat(Attendance.UNKNOWN.after(WEEK, true).share()).isEqualTo(0.75);
        assertThat(Attendance.UNKNOWN.after(WEEK, false).share()).isEqualTo(0.25);
        assertThat(Attendance.UNKNOWN.after(WEEK.multipliedBy(20), true).thousandths())
                .isEqualTo(1000);
    }

    @Test
    void shouldComeToTheSameInOneStepAndInMany() {
        Attendance steps = Attendance.UNKNOWN;
        for (int i = 0; i < 10_000; i++) {
            steps = steps.after(WEEK.dividedBy(10_000), true);
        }

        assertThat(steps.share()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void shouldTellOfficeHoursFromAlways() {
        Attendance office = Attendance.UNKNOWN;
        for (int day = 0; day < 50; day++) {
            office = office.after(Duration.ofHours(8), true).after(Duration.ofHours(16), false);
        }

        assertThat(office.share()).isCloseTo(1 / 3.0, within(0.05));
    }
}
