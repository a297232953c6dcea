package org.beefs.queenbee.replication.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class UnreachedTest {
    private static final Duration A_MOMENT = Duration.ofSeconds(10);

    private final TestHive hive = new TestHive();
    private final Honeycomb here = come("here");
    private final Honeycomb there = come("there");
    private final Unreached unreached = new Unreached(hive.queenBee().state().honeycombs(), hive.time());

    @Test
    void shouldTakeFailuresOfAMinuteForAWayThatIsClosed() {
        fail();
        assertThat(unreached.from(here)).isEmpty();
        hive.advance(Unreached.PATIENCE);
        fail();

        assertThat(unreached.from(here)).containsExactly("there");
        assertThat(unreached.from(there)).isEmpty();
    }

    /** Between two such moments all may have been well: copies with several sources do not tell which one it was. */
    @Test
    void shouldNotTakeTwoFailuresOfDifferentDaysForAWayThatIsClosed() {
        fail();
        hive.advance(Duration.ofHours(20));
        fail();

        assertThat(unreached.from(here)).isEmpty();
        hive.advance(A_MOMENT);
        fail();
        assertThat(unreached.from(here)).isEmpty();
    }

    private void fail() {
        unreached.failed(
                here,
                List.of(ReplicaPlace.newBuilder().setHoneycomb(there.uuid()).build()));
    }

    private Honeycomb come(String name) {
        TestDesktop desktop = new TestDesktop(hive, name);
        desktop.registered();
        Honeycombs honeycombs = hive.queenBee().state().honeycombs();
        return honeycombs.numbered(hive.number(name));
    }
}
