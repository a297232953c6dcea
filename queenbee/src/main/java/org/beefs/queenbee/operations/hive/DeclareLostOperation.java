package org.beefs.queenbee.operations.hive;

import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** An administrator does not expect a desktop back. */
public final class DeclareLostOperation implements Operation {
    private final QueenState state;

    public DeclareLostOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        state.replication().declareLost(request.body().getDeclareLost().getDesktop());
    }
}
