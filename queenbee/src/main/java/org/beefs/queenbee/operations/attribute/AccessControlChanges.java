package org.beefs.queenbee.operations.attribute;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Permissions;

/** The changes by which access control lists are set and removed, as Linux does it on a local file system. */
final class AccessControlChanges {
    private AccessControlChanges() {}

    /** The mode follows the list that decides; one that says no more than a mode is kept as the mode only. */
    static List<Mutation> setting(Inode inode, ByteString name, ByteString value, Caller caller, long now) {
        if (AccessControlList.isEmpty(value)) {
            return removing(inode, name, caller, now);
        }
        check(inode, caller);
        AccessControlList list = AccessControlList.parse(value);
        if (name.equals(AccessControlList.DEFAULT)) {
            if (!inode.isDirectory()) {
                throw new PosixException(Errno.EACCES, "only directories have a default access control list");
            }
            return List.of(new Mutation.SetXattr(inode.number(), name, value, now));
        }
        List<Mutation> changes = new ArrayList<>(2);
        if (list.isExtended()) {
            changes.add(new Mutation.SetXattr(inode.number(), name, value, now));
        } else if (inode.xattr(name) != null) {
            changes.add(new Mutation.RemoveXattr(inode.number(), name, now));
        }
        changes.add(modeOf(list, inode, caller, now));
        return changes;
    }

    /**
     * The mode stays: the mask that it shows becomes the group's rights. Where there is no list nothing changes, and
     * that is no failure, unlike with other extended attributes.
     */
    static List<Mutation> removing(Inode inode, ByteString name, Caller caller, long now) {
        check(inode, caller);
        return inode.xattr(name) == null ? List.of() : List.of(new Mutation.RemoveXattr(inode.number(), name, now));
    }

    private static void check(Inode inode, Caller caller) {
        if (inode.isSymbolicLink()) {
            throw new PosixException(Errno.EOPNOTSUPP, "symbolic links have no access control lists");
        }
        Permissions.checkOwner(inode, caller);
    }

    private static Mutation modeOf(AccessControlList list, Inode inode, Caller caller, long now) {
        int mode = Permissions.modeOfChmod(inode.gid(), caller, (inode.mode() & 07000) | list.mode());
        return Mutation.ChangeAttributes.of(inode).withPermissions(mode).withCtime(now);
    }
}
