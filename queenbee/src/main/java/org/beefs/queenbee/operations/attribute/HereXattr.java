package org.beefs.queenbee.operations.attribute;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.replication.Replication;
import org.beefs.queenbee.session.Session;

/**
 * Whether the asking desktop has a replica of a file, as an extended attribute; who may write the file asks for one by
 * setting it. An extra one does not count, because it goes with the next change.
 */
final class HereXattr {
    private static final ByteString NAME = ByteString.copyFromUtf8(ReplicationXattr.HERE);
    private static final ByteString CURRENT = ByteString.copyFromUtf8(ReplicationXattr.CURRENT);

    private final Honeycombs honeycombs;
    private final Replication replication;

    HereXattr(QueenState state) {
        honeycombs = state.honeycombs();
        replication = state.replication();
    }

    static boolean isName(ByteString name) {
        return name.equals(NAME);
    }

    /** The value; none on a desktop without a honeycomb, and for an inode without content. */
    ByteString get(Inode inode, Session session) {
        if (!inode.isRegular()) {
            throw XattrAccess.absent();
        }
        Honeycomb here = honeycombs.servedBy(session).orElseThrow(XattrAccess::absent);
        return ByteString.copyFromUtf8(state(inode, here));
    }

    private String state(Inode inode, Honeycomb here) {
        if (replication.sets().isCurrentIn(inode, here)) {
            return ReplicationXattr.CURRENT;
        }
        return replication.sets().isComingTo(inode, here) ? ReplicationXattr.COMING : ReplicationXattr.ABSENT;
    }

    void set(Inode inode, ByteString value, Caller caller, Session session) {
        Permissions.check(inode, caller, Permissions.WRITE);
        if (!inode.isRegular() || !value.equals(CURRENT)) {
            throw new PosixException(
                    Errno.EINVAL,
                    "%s of a file is set to %s".formatted(ReplicationXattr.HERE, ReplicationXattr.CURRENT));
        }
        Honeycomb here = honeycombs
                .servedBy(session)
                .orElseThrow(() -> new PosixException(Errno.ENODEV, session.desktop() + " has no honeycomb"));
        replication.wish(inode, here);
    }
}
