package org.beefs.common.rpc;

import com.google.protobuf.Parser;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.wire.Timestamp;

/** A service of the tests: keeps requests, so that a test answers them when it likes. */
public final class TimeService implements Service<Timestamp> {
    record Asked(long seconds, Payload payload, Responder responder, long request) {
        void answer(long seconds) {
            responder.answer(time(seconds));
        }
    }

    final List<Asked> asked = new ArrayList<>();
    boolean closed;

    public static Timestamp time(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).build();
    }

    @Override
    public Parser<Timestamp> requests() {
        return Timestamp.parser();
    }

    @Override
    public void handle(Message<Timestamp> request, Responder responder) {
        asked.add(new Asked(request.body().getSeconds(), request.payload(), responder, CurrentRequest.id()));
    }

    @Override
    public void closed() {
        closed = true;
    }
}
