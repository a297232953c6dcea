package org.beefs.queenbee.operations.session;

import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** Keeps a session, as every request does, and takes its news. */
public final class HeartbeatOperation implements Operation {
    private final QueenState state;
    private final NewInodesOffer newInodes;

    public HeartbeatOperation(QueenState state) {
        this.state = state;
        newInodes = new NewInodesOffer(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        Heartbeat heartbeat = request.body().getHeartbeat();
        request.session().setMounts(heartbeat.getMountsList());
        request.session().setUnreached(state.honeycombs().numbersOf(heartbeat.getUnreachedList()));
        state.honeycombs().servedBy(request.session()).ifPresent(honeycomb -> take(heartbeat, honeycomb));
        reply.setNewInodes(newInodes.with(request.session(), heartbeat.getNumbersLeft()));
    }

    private void take(Heartbeat heartbeat, Honeycomb honeycomb) {
        boolean wasPaused = !honeycomb.paused().isZero();
        honeycomb.heard(heartbeat, state.clock().bootNanos());
        if (!state.isReadOnly()) {
            state.honeycombs().setMarked(honeycomb, heartbeat.getMarked());
        }
        if (heartbeat.hasScrub() && !state.isReadOnly()) {
            honeycomb.setScrub(heartbeat.getScrub().toBuilder().clearRotten().build());
            state.replication().healing().reported(honeycomb, heartbeat.getScrub());
        }
        if (wasPaused && honeycomb.canCopy()) {
            state.replication().resumed();
        }
    }
}
