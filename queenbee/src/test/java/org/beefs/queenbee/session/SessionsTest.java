package org.beefs.queenbee.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.beefs.common.time.ManualClock;
import org.beefs.queenbee.state.SessionRecord;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private final ManualClock clock = new ManualClock();
    private final Sessions sessions = new Sessions(clock, Duration.ofSeconds(30), false);

    /** Nobody could be heard while the state was loaded. */
    @Test
    void shouldCountTheSilenceOfLoadedSessionsFromWhenTheQueenBeeServes() throws IOException {
        SessionRecord record =
                SessionRecord.newBuilder().setDesktop("desk").setProcess(1).build();
        sessions.load(1, record.toByteString().newCodedInput());
        Session loaded = sessions.all().iterator().next();
        clock.advance(Duration.ofMinutes(1));

        sessions.beginServing();

        assertThat(sessions.silent(loaded)).isZero();
        assertThat(sessions.expired()).isEmpty();
    }
}
