package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenReply;

/** An administrator does not expect a desktop back. */
final class DeclareLostOperation implements Operation {
    private final QueenState state;

    DeclareLostOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        state.replication().declareLost(request.body().getDeclareLost().getDesktop());
    }
}
