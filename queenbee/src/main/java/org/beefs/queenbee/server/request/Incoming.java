package org.beefs.queenbee.server.request;

import org.beefs.common.rpc.Service;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.session.DesktopConnection;

/**
 * A request that came in, and the way back.
 *
 * @param request its id in logs
 * @param arrived in nanoseconds of the boot clock
 */
public record Incoming(
        QueenRequest body, DesktopConnection connection, Service.Responder responder, long request, long arrived) {
    /** Whether only who has registered may ask this. */
    boolean needsSession() {
        return switch (body.getOperationCase()) {
            case REGISTER, HIVE_STATUS, CHECK_INODES, CHECK_ENTRIES, CHECK_REPLICAS -> false;
            case DECLARE_LOST, FORGET, DRAIN, EJECT, CHANGE_REPLICATION -> false;
            default -> true;
        };
    }

    /**
     * Whether it may be sent again by itself when there is no room for it now, behind what its desktop has asked for
     * after it. Decided changes may not, as they build on earlier ones: without its directory a file cannot be made. If
     * there is no room for a decided change, the connection is closed; the next registration brings all of them in
     * order.
     */
    static boolean mayBeOvertaken(QueenRequest request) {
        return !request.hasDecision();
    }

    /**
     * Whether it may be refused when there is no room for it, to be sent again behind all that its desktop has sent
     * meanwhile. An open to read may have been decided under a lease, and its desktop answers the recall of that lease
     * behind it: that answer must not count before it.
     */
    public static boolean mayBeRefused(QueenRequest request) {
        boolean mayBeUntold = request.hasOpen() && !request.getOpen().getWrite();
        return mayBeOvertaken(request) && !mayBeUntold;
    }
}
