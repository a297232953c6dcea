package org.beefs.queenbee.console.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who guesses passwords is seen, and fills nothing. */
class FailedLoginsTest {
    @TempDir
    private Path folder;

    private final ManualTime time = new ManualTime();
    private EventLog events;
    private FailedLogins logins;

    @BeforeEach
    void open() {
        events = new EventLog(folder, time, _ -> {});
        logins = new FailedLogins(events, time);
    }

    private List<String> told() {
        return events.newest("login", null, Integer.MAX_VALUE).stream()
                .map(Event::text)
                .toList();
    }

    private void guessEachSecondFor(Duration duration) {
        for (int second = 0; second < duration.toSeconds(); second++) {
            logins.add("10.0.0.7");
            time.jump(Duration.ofSeconds(1));
            logins.tell();
        }
    }

    @Test
    void shouldTellOfTheFirstOneAtOnceAndOfTheOthersTogether() {
        logins.add("10.0.0.7");
        logins.add("10.0.0.8");
        logins.add("10.0.0.9");
        assertThat(told()).containsExactly("somebody at 10.0.0.7 has failed to log in");

        time.jump(FailedLogins.SHORTEST);
        logins.tell();

        assertThat(told()).last().isEqualTo("2 logins have failed, the last one from 10.0.0.9");
    }

    @Test
    void shouldTellMoreAndMoreSeldomOfWhoGoesOn() {
        guessEachSecondFor(Duration.ofDays(1));

        assertThat(told()).hasSizeBetween(24, 31);
    }

    @Test
    void shouldTellOfEachAgainWhenNobodyHasFailedForLong() {
        guessEachSecondFor(Duration.ofHours(3));
        time.jump(FailedLogins.LONGEST);
        logins.tell();
        int before = told().size();

        logins.add("10.0.0.8");
        time.jump(FailedLogins.SHORTEST);
        logins.add("10.0.0.9");

        assertThat(told()).hasSize(before + 2);
    }
}
