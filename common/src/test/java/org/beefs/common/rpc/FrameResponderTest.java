package org.beefs.common.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.Test;

class FrameResponderTest {
    private static final Timestamp REPLY = TimeService.time(1);

    private final RecordingLink link = new RecordingLink();
    private final FrameResponder responder = new FrameResponder(link, 7, new Backpressure(link, 10));

    @Test
    void shouldSendAnswersAtOnce() {
        responder.answer(REPLY);

        assertThat(link.hurried).extracting(Frame::id).containsExactly(7L);
        assertThat(link.unhurried).isEmpty();
    }

    @Test
    void shouldLetAnAnswerThatNobodyWaitsForLeaveWithWhatComesNext() {
        responder.answerUnhurried(REPLY);

        assertThat(link.unhurried).singleElement().satisfies(frame -> {
            assertThat(frame.kind()).isEqualTo(Frame.Kind.REPLY);
            assertThat(frame.id()).isEqualTo(7);
            assertThat(frame.message()).isEqualTo(REPLY.toByteString());
        });
        assertThat(link.hurried).isEmpty();
    }

    @Test
    void shouldSendOnlyTheFirstAnswerWhicheverWayItGoes() {
        responder.answerUnhurried(REPLY);
        responder.answer(REPLY);
        responder.fail(new PosixException(Errno.EIO, "too late"));

        assertThat(link.unhurried).hasSize(1);
        assertThat(link.hurried).isEmpty();
    }

    /** Says which frames were in a hurry. */
    private static final class RecordingLink implements Link {
        final List<Frame> hurried = new ArrayList<>();
        final List<Frame> unhurried = new ArrayList<>();

        @Override
        public void send(Frame frame) {
            hurried.add(frame);
        }

        @Override
        public void sendUnhurried(Frame frame) {
            unhurried.add(frame);
        }

        @Override
        public void close() {}

        @Override
        public void setReading(boolean reading) {}

        @Override
        public String peer() {
            return "somebody";
        }
    }
}
