package org.beefs.queenbee.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.queenbee.session.Sessions;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nobody is blamed for the time in which the queen-bee herself was asleep or stopped. */
class OwnSleepTest {
    private static final Duration HEARTBEAT = TestConfig.usual().heartbeat();

    private final TestHive hive = new TestHive();
    private final Sessions sessions = hive.queenBee().state().sessions();
    private final OwnSleep ownSleep =
            new OwnSleep(hive.time(), sessions, hive.queenBee().state().replication(), HEARTBEAT);

    @BeforeEach
    void come() {
        new TestDesktop(hive, "desk").registered();
    }

    @Test
    void shouldForgiveAStopBetweenTheBeginningOfAPassAndItsTick() {
        ownSleep.forgive();
        hive.time().jump(Duration.ofMinutes(10));

        ownSleep.tick();

        assertThat(sessions.expired()).isEmpty();
    }

    @Test
    void shouldForgiveNothingWhileTicksAreInTime() {
        for (Duration passed = Duration.ZERO;
                passed.compareTo(TestConfig.usual().lease()) <= 0;
                passed = passed.plus(HEARTBEAT)) {
            hive.time().jump(HEARTBEAT);
            ownSleep.forgive();
            ownSleep.tick();
        }

        assertThat(sessions.expired()).hasSize(1);
    }
}
