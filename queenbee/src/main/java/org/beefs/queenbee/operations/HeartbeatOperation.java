package org.beefs.queenbee.operations;

import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenReply;

/** Keeps a session, as every request does, and takes its news. */
final class HeartbeatOperation implements Operation {
    private final QueenState state;

    HeartbeatOperation(QueenState state) {
        this.state = state;
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Heartbeat heartbeat = request.body().getHeartbeat();
        request.session().setMounts(heartbeat.getMountsList());
        if (heartbeat.hasSpace()) {
            state.honeycombs()
                    .servedBy(request.session())
                    .ifPresent(honeycomb -> honeycomb.setSpace(heartbeat.getSpace()));
        }
    }
}
