package org.beefs.queenbee.operations;

import org.beefs.common.posix.AccessRights;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.lease.Mutator;

/**
 * Decides what may be asked of a hive in which nothing may be changed. Every request is named here, so that the
 * compiler asks about each new one. What passes and would change the namespace all the same fails at the
 * {@link Mutator}.
 */
public final class ReadOnly {
    private ReadOnly() {}

    /**
     * Fails with EROFS when nothing may be changed and the request would change something, or asks whether it could.
     */
    public static void check(QueenRequest request, Mutator mutator) {
        if (mutator.isReadOnly() && changes(request)) {
            mutator.requireWritable();
        }
    }

    private static boolean changes(QueenRequest request) {
        return switch (request.getOperationCase()) {
            case REGISTER, HEARTBEAT, GOODBYE, EJECT, INVENTORY, HIVE_STATUS -> false;
            case LOOKUP, GET_ATTRIBUTES, READ_SYMBOLIC_LINK, LIST_DIRECTORY, FILE_SYSTEM_STATUS -> false;
            case GET_XATTR, LIST_XATTRS, FIND_LOCK, EXPLAIN_WAITS, RELEASE, SYNC, SECURE_CONTENT, OPERATION_NOT_SET ->
                false;
            case CHECK_ACCESS -> (request.getCheckAccess().getMask() & AccessRights.WRITE) != 0;
            case OPEN -> request.getOpen().getWrite();
            case CREATE -> request.getCreate().getWrite() || request.getCreate().getTruncate();
            case SET_LOCK -> request.getSetLock().getMode() != LockMode.UNLOCKED;
            case CHECK_INODES -> request.getCheckInodes().getRepair();
            case CHECK_ENTRIES -> request.getCheckEntries().getRepair();
            case CHECK_REPLICAS -> request.getCheckReplicas().getRepair();
            case CREATE_UNNAMED, MAKE_NODE, MAKE_DIRECTORY, MAKE_SYMBOLIC_LINK -> true;
            case LINK, UNLINK, REMOVE_DIRECTORY, RENAME -> true;
            case SET_ATTRIBUTES, RECORD_ACCESSES, SET_XATTR, REMOVE_XATTR, CHANGE_REPLICATION -> true;
            case DECLARE_LOST, FORGET, DRAIN, MAKE_ROOM -> true;
        };
    }
}
