package org.beefs.queenbee.operations.hive;

import org.beefs.common.wire.Drain;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** An administrator wants to do without a desktop, or not any more. */
public final class DrainOperation implements Operation {
    private final QueenState state;

    public DrainOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Drain drain = request.body().getDrain();
        Honeycomb honeycomb = state.honeycombs().lastOn(drain.getDesktop());
        if (honeycomb.isDraining() == drain.getCancel()) {
            state.replication().drain(honeycomb, !drain.getCancel());
        }
    }
}
