package org.beefs.honeybee.fuse.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.time.ManualClock;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.mount.Callers;
import org.junit.jupiter.api.Test;

class RecentCallersTest {
    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads();
    private final RecentCallers callers = new RecentCallers(threads, clock);

    /** Threads that are all in the same groups. */
    private static final class Threads implements Callers {
        List<Integer> groups = List.of();

        @Override
        public Credentials credentials(int uid, int gid, int pid) {
            return Credentials.newBuilder()
                    .setUid(uid)
                    .setGid(gid)
                    .addAllGroups(groups)
                    .build();
        }

        @Override
        public State state(int pid) {
            return State.ALIVE;
        }

        @Override
        public boolean isExiting(int pid) {
            return false;
        }
    }

    @Test
    void shouldSeeAfterAMillisecondThatAThreadHasJoinedAGroup() {
        assertThat(groups(1000, 100, 7)).isEmpty();
        threads.groups = List.of(4);

        clock.advance(Duration.ofNanos(999_999));
        assertThat(groups(1000, 100, 7)).isEmpty();
        clock.advance(Duration.ofNanos(1));

        assertThat(groups(1000, 100, 7)).containsExactly(4);
    }

    @Test
    void shouldLookAnewForAnotherUserGroupOrThread() {
        assertThat(groups(1000, 100, 7)).isEmpty();
        threads.groups = List.of(4);

        assertThat(groups(1001, 100, 7)).containsExactly(4);
        assertThat(groups(1000, 100, 23)).containsExactly(4);
        assertThat(callers.credentials(1000, 101, 7)).isEqualTo(threads.credentials(1000, 101, 7));
    }

    private List<Integer> groups(int uid, int gid, int pid) {
        return callers.credentials(uid, gid, pid).getGroupsList();
    }
}
