package org.beefs.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Service;
import org.beefs.common.time.ManualClock;
import org.beefs.common.wire.Failure;
import org.junit.jupiter.api.Test;

class MeasuredServiceTest {
    private final List<String> seen = new ArrayList<>();

    @Test
    void shouldPassOnThatAnAnswerIsNotHurried() {
        Service<Failure> measured =
                new MeasuredService<>(new Unhurried(), new ManualClock(), (_, _, _, _) -> seen.add("measured"));

        measured.handle(new Message<>(Failure.getDefaultInstance(), Payload.NONE), new Seeing());

        assertThat(seen).containsExactly("measured", "unhurried");
    }

    private static final class Unhurried implements Service<Failure> {
        @Override
        public Parser<Failure> requests() {
            return Failure.parser();
        }

        @Override
        public void handle(Message<Failure> request, Responder responder) {
            responder.answerUnhurried(Failure.getDefaultInstance());
        }
    }

    private final class Seeing implements Service.Responder {
        @Override
        public void answer(MessageLite reply, Payload payload) {
            seen.add("hurried");
        }

        @Override
        public void answerUnhurried(MessageLite reply) {
            seen.add("unhurried");
        }

        @Override
        public void fail(PosixException cause) {
            throw new AssertionError(cause);
        }
    }
}
