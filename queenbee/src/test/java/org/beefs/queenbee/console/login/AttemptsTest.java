package org.beefs.queenbee.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.Test;

/** What is remembered of those who guess; what they meet with, is in {@link LoginsTest}. */
class AttemptsTest {
    private final Attempts attempts = new Attempts(new ManualTime());

    @Test
    void shouldRememberABoundedNumberOfAddresses() {
        for (int i = 0; i < Attempts.FREE; i++) {
            attempts.failed("first");
        }
        for (int i = 0; i < Attempts.MOST - 1; i++) {
            attempts.failed("other" + i);
        }
        assertThat(attempts.failed("first")).isPositive();

        for (int i = 0; i < Attempts.MOST; i++) {
            attempts.failed("another" + i);
        }

        assertThat(attempts.failed("first")).isEqualTo(Duration.ZERO);
    }
}
