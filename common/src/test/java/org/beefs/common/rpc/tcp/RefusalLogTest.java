package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.log.LogLines;
import org.beefs.common.time.ManualTimers;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
    private final ManualTimers timers = new ManualTimers();
    private final RefusalLog refusals = new RefusalLog(timers);

    @Test
    void shouldTellTheFirstAtOnceAndThoseOfAMinuteInOneLine() {
        try (LogLines log = new LogLines(RefusalLog.class.getName())) {
            for (String who : new String[] {"a", "b", "c"}) {
                refusals.accept("closing " + who);
            }
            assertThat(log.warnings()).containsExactly("closing a");

            timers.advance(RefusalLog.DISTANCE);
            assertThat(log.warnings())
                    .containsExactly("closing a", "2 more such connections within a minute, the last one: closing c");

            timers.advance(RefusalLog.DISTANCE);
            refusals.accept("closing d");
            assertThat(log.warnings()).hasSize(3).endsWith("closing d");
        }
    }
}
