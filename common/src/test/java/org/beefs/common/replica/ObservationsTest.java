package org.beefs.common.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.wire.ReplicaStatus;
import org.junit.jupiter.api.Test;

class ObservationsTest {
    /** The upper bits count starts, so that the sign is the last of them. */
    private static final ReplicaStatus LATE =
            ReplicaStatus.newBuilder().setObservation(Long.MIN_VALUE).build();

    private static final ReplicaStatus EARLY =
            ReplicaStatus.newBuilder().setObservation(Long.MAX_VALUE).build();

    @Test
    void shouldTakeNumbersForUnsigned() {
        assertThat(Observations.isLater(LATE, EARLY)).isTrue();
        assertThat(Observations.isLater(EARLY, LATE)).isFalse();
    }

    @Test
    void shouldNotTakeForLaterWhatIsTheSame() {
        assertThat(Observations.isLater(EARLY, EARLY)).isFalse();
    }

    @Test
    void shouldFindTheLatest() {
        assertThat(Observations.latest(EARLY, LATE)).isEqualTo(LATE);
        assertThat(Observations.latest(LATE, EARLY)).isEqualTo(LATE);
    }
}
