package org.beefs.queenbee.operations;

import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * A request as an operation sees it.
 *
 * @param knownSession who asks; null only for what needs no session
 * @param connection on which it came
 * @param now the packed time at which it is carried out
 * @param clearance what others have let go of for it
 * @param choice values that were fixed before it is carried out
 */
public record Request(
        QueenRequest body,
        @Nullable Session knownSession,
        Caller caller,
        DesktopConnection connection,
        long now,
        Clearance clearance,
        Choice choice) {
    public Session session() {
        if (knownSession == null) {
            throw new IllegalStateException("a request without a session: " + body.getOperationCase());
        }
        return knownSession;
    }
}
