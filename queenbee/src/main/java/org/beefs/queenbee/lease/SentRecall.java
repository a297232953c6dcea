package org.beefs.queenbee.lease;

import java.util.List;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;

/**
 * One message that recalls leases of a session, for the sake of one or more requests. Each is itself only: compared by
 * identity.
 */
public final class SentRecall {
    final Holder holder;
    final List<Clearance> clearances;

    /** Whether it recalls everything that the holder had before. */
    final boolean everything;

    private final DesktopConnection connection;
    private final DesktopRequest request;

    SentRecall(
            Holder holder,
            DesktopConnection connection,
            DesktopRequest request,
            List<Clearance> clearances,
            boolean everything) {
        this.holder = holder;
        this.connection = connection;
        this.request = request;
        this.clearances = clearances;
        this.everything = everything;
    }

    public Session session() {
        return holder.session;
    }

    /** The connection over which it goes: the one that carried the leases. */
    public DesktopConnection connection() {
        return connection;
    }

    /** The id in logs of the first request that it is for; there may be more. */
    public long firstRequest() {
        return clearances.isEmpty()
                ? CurrentRequest.NONE
                : clearances.getFirst().request();
    }

    public DesktopRequest request() {
        return request;
    }
}
