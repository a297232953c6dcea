package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.time.ManualClock;
import org.junit.jupiter.api.Test;

/** For how long, and of how many directories, it is remembered that they were recalled. */
class ContestedTest {
    private final ManualClock clock = new ManualClock();
    private final Contested contested = new Contested(clock);

    @Test
    void shouldForgetADirectoryAfterAPause() {
        contested.add(1);
        clock.advance(Contested.PAUSE.minusNanos(1));
        assertThat(contested.has(1)).isTrue();

        clock.advance(Contested.PAUSE);

        assertThat(contested.has(1)).isFalse();
    }

    @Test
    void shouldForgetTheOneThatWasRecalledLongestAgo() {
        for (long directory = 1; directory <= Contested.MOST; directory++) {
            contested.add(directory);
        }
        contested.add(1);
        assertThat(contested.has(2)).isTrue();

        contested.add(Contested.MOST + 1);

        assertThat(contested.has(1)).isTrue();
        assertThat(contested.has(2)).isFalse();
        assertThat(contested.has(3)).isTrue();
    }
}
