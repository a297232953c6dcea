package org.beefs.honeycomb.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.server.SequencedAnswers.Admission.ANSWERED;
import static org.beefs.honeycomb.server.SequencedAnswers.Admission.NEW;

import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final DataRequest REQUEST =
            DataRequest.newBuilder().setSequence(1).build();

    private final Sessions sessions = new Sessions();

    /** A busy one is never forgotten, however many come: what it repeats would be carried out twice. */
    @Test
    void shouldForgetTheSessionThatWasUnusedForLongest() {
        for (long session = 1; session <= Sessions.BOUND; session++) {
            carryOut(session);
        }
        assertThat(begin(1)).isEqualTo(ANSWERED);

        carryOut(Sessions.BOUND + 1);

        assertThat(begin(1)).isEqualTo(ANSWERED);
        assertThat(begin(2)).isEqualTo(NEW);
    }

    private void carryOut(long session) {
        assertThat(begin(session)).isEqualTo(NEW);
        sessions.of(session).answer(REQUEST.getSequence(), DataReply.getDefaultInstance());
    }

    private SequencedAnswers.Admission begin(long session) {
        return sessions.of(session).begin(1, REQUEST, reply -> {});
    }
}
