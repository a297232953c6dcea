package org.beefs.queenbee.operations.hive;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.CheckEntries;
import org.beefs.common.wire.CheckInodes;
import org.beefs.common.wire.CheckReplicas;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.check.Findings;
import org.beefs.queenbee.check.HiveCheck;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/**
 * The requests of a check. They wait for nobody, so a repair recalls what others cache and does not wait for their
 * answers.
 */
public final class CheckOperations {
    private final QueenState state;
    private final HiveCheck check;

    public CheckOperations(QueenState state) {
        this.state = state;
        check = new HiveCheck(
                state.namespace(),
                state.numbering(),
                state.mutator(),
                state.honeycombs(),
                state.leftFiles(),
                state.replication());
    }

    public void inodes(Request request, QueenReply.Builder reply) {
        CheckInodes asked = request.body().getCheckInodes();
        reply.setCheckedInodes(check.inodes(asked.getFrom(), request.now(), findings(asked.getRepair())));
    }

    public void entries(Request request, QueenReply.Builder reply) {
        CheckEntries asked = request.body().getCheckEntries();
        reply.setCheckedEntries(check.entries(
                asked.getDirectory(),
                asked.getAfter(),
                asked.getStamp(),
                asked.getSubdirectories(),
                findings(asked.getRepair())));
    }

    public void replicas(Request request, QueenReply.Builder reply) {
        CheckReplicas asked = request.body().getCheckReplicas();
        if (asked.getLooksCount() > ProtocolBounds.REPLICA_LOOKS) {
            throw new PosixException(
                    Errno.E2BIG, "a check judges at most " + ProtocolBounds.REPLICA_LOOKS + " replicas at once");
        }
        Honeycomb honeycomb = state.honeycombs().find(asked.getHoneycomb());
        if (honeycomb == null) {
            throw new PosixException(Errno.EINVAL, "there never was such a honeycomb in this hive");
        }
        reply.setCheckedReplicas(
                check.replicas(honeycomb, asked.getLooksList(), asked.getStrays(), findings(asked.getRepair())));
    }

    /**
     * Begins to gather findings. Fails with EAGAIN while sessions may come back: then much looks forgotten that is not,
     * and nothing may be changed.
     */
    private Findings findings(boolean repair) {
        if (state.sessions().areSomeAwaited()) {
            throw new PosixException(
                    Errno.EAGAIN,
                    "the queen-bee has just started, and waits for its desktops; try again in half a minute");
        }
        return new Findings(repair);
    }
}
