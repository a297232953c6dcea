package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenReply;

/** A daemon stops on purpose. */
final class GoodbyeOperation implements Operation {
    private final SessionEnd sessionEnd;

    GoodbyeOperation(QueenState state) {
        sessionEnd = new SessionEnd(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        sessionEnd.end(request.session(), "it said goodbye");
    }
}
