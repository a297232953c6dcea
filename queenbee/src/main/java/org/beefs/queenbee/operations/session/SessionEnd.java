package org.beefs.queenbee.operations.session;

import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions: what they had open is released, their leases and locks are gone, and their honeycomb is no longer
 * connected.
 */
public final class SessionEnd {
    private static final Logger LOG = LoggerFactory.getLogger(SessionEnd.class);

    private final QueenState state;

    public SessionEnd(QueenState state) {
        this.state = state;
    }

    /**
     * Ends a session whose daemon writes nothing any more: it has said so, is dead, or knows that its lease is over.
     *
     * @param why for the logs, hers and the desktop's
     */
    public void end(Session session, String why) {
        end(session, why, session.heardNanos());
    }

    /** Ends a session before its lease, of a daemon that may live and write until then. */
    public void endEarly(Session session, String why) {
        end(session, why, session.heardNanos() + state.config().lease().toNanos());
    }

    private void end(Session session, String why, long mayWriteUntil) {
        LOG.info("the session of desktop {} ends: {}", session.desktop(), why);
        state.honeycombs().disconnect(session);
        state.leases().end(session);
        state.locks().endSession(session);
        state.opens().releaseAll(session, mayWriteUntil);
        state.sessions().end(session, why, state.journal());
        state.leftFiles().decideWaiting();
    }

    /** Ends the sessions that were silent for longer than the lease. */
    public void endExpired() {
        state.sessions().expired().forEach(session -> end(session, "it was silent for longer than its lease"));
    }
}
