package org.beefs.honeycomb.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.server.SequencedAnswers.Admission.FORGOTTEN;
import static org.beefs.honeycomb.server.SequencedAnswers.Admission.IN_PROGRESS;
import static org.beefs.honeycomb.server.SequencedAnswers.Admission.NEW;

import org.beefs.common.wire.DataRequest;
import org.junit.jupiter.api.Test;

class SessionAnswersTest {
    private static final long OLDER = 1;
    private static final long NEWER = 2;

    private final SessionAnswers session = new SessionAnswers();

    /** The session may have given it up, and may have been answered a later change of the same range. */
    @Test
    void shouldNotBeginWhatIsLeftOfAConnectionWhenANewerOneHasComeMeanwhile() {
        assertThat(session.admits(OLDER)).isTrue();
        assertThat(begin(NEWER, 2)).isEqualTo(NEW);

        assertThat(begin(OLDER, 1)).isEqualTo(FORGOTTEN);
    }

    @Test
    void shouldLetARequestWaitOnTheNewerConnectionForWhatWasBegunOnTheOlder() {
        assertThat(begin(OLDER, 1)).isEqualTo(NEW);

        assertThat(begin(NEWER, 1)).isEqualTo(IN_PROGRESS);
    }

    private SequencedAnswers.Admission begin(long connection, long sequence) {
        return session.begin(
                connection, DataRequest.newBuilder().setSequence(sequence).build(), reply -> {});
    }
}
