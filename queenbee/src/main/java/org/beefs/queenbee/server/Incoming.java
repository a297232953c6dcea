package org.beefs.queenbee.server;

import org.beefs.common.rpc.Service;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.session.DesktopConnection;

/**
 * A request that came in, and the way back.
 *
 * @param request its id in logs
 * @param arrived in nanoseconds of the boot clock
 */
record Incoming(
        QueenRequest body, DesktopConnection connection, Service.Responder responder, long request, long arrived) {
    /** Whether only who has registered may ask this. */
    boolean needsSession() {
        return switch (body.getOperationCase()) {
            case REGISTER, HIVE_STATUS, CHECK_INODES, CHECK_ENTRIES, CHECK_REPLICAS -> false;
            case DECLARE_LOST, DRAIN, EJECT, CHANGE_REPLICATION -> false;
            default -> true;
        };
    }

    /**
     * Whether it may be sent again by itself when there is no room for it now, behind what its desktop has asked for
     * after it. What was decided builds on what was decided before: without its directory a file cannot be made. So who
     * has no room for that hangs up, and the registration that follows brings all of it in order.
     */
    static boolean mayBeOvertaken(QueenRequest request) {
        return !request.hasDecision();
    }
}
