package org.beefs.queenbee.operations.session;

import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** A daemon stops on purpose. */
public final class GoodbyeOperation implements Operation {
    private final SessionEnd sessionEnd;

    public GoodbyeOperation(QueenState state) {
        sessionEnd = new SessionEnd(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        sessionEnd.end(request.session(), "it said goodbye");
    }
}
