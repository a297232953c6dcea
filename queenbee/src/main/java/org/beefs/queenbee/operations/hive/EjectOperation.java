package org.beefs.queenbee.operations.hive;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.session.SessionEnd;
import org.beefs.queenbee.session.Session;

/**
 * An administrator takes away what a desktop holds and others wait for. Its leases are recalled before: what it has
 * decided is told, and it uses nothing any more that others go on to change. Answered within twice the recall time-out,
 * also when the desktop does not answer.
 */
public final class EjectOperation implements Operation {
    private final QueenState state;
    private final SessionEnd sessionEnd;

    public EjectOperation(QueenState state) {
        this.state = state;
        sessionEnd = new SessionEnd(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        String desktop = request.body().getEject().getDesktop();
        Session session = state.sessions().ofDesktop(desktop);
        if (session == null) {
            throw new PosixException(Errno.ENODEV, "no desktop named %s has a session".formatted(desktop));
        }
        state.leases().requireNone(request.clearance(), session);
        sessionEnd.endEarly(session, "an administrator has ejected it");
    }
}
