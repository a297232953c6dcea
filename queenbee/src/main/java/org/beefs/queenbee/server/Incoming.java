package org.beefs.queenbee.server;

import org.beefs.common.rpc.Service;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.session.DesktopConnection;

/**
 * A request that came in, and the way back.
 *
 * @param request its id in logs
 */
record Incoming(QueenRequest body, DesktopConnection connection, Service.Responder responder, long request) {
    /** Whether only who has registered may ask this. */
    boolean needsSession() {
        return switch (body.getOperationCase()) {
            case REGISTER, HIVE_STATUS, CHECK_INODES, CHECK_ENTRIES, CHECK_REPLICAS -> false;
            case DECLARE_LOST, DRAIN, EJECT, CHANGE_REPLICATION -> false;
            default -> true;
        };
    }
}
