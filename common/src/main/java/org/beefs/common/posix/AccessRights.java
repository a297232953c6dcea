package org.beefs.common.posix;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Node;

/** The rights of callers on an inode, as Linux decides them on a local file system. Stateless. */
public final class AccessRights {
    public static final int READ = 4;
    public static final int WRITE = 2;
    public static final int EXECUTE = 1;

    private static final int ANY_EXECUTE = 0111;
    private static final int GROUP = 0070;

    private AccessRights() {}

    /** Whether the caller has all the rights of the mask, by what is known of an inode. */
    public static boolean allow(Node node, Credentials caller, int mask) {
        Attributes inode = node.getAttributes();
        return allow(inode.getMode(), inode.getUid(), inode.getGid(), node.getAccessAcl(), caller, mask);
    }

    /**
     * Whether the caller has all the rights of the mask, as access(2).
     *
     * @param mode with type
     * @param acl the extended access control list, empty if there is none. As in Linux it does not count while its
     *     mask, which is the mode's group bits, allows nothing
     */
    public static boolean allow(int mode, int uid, int gid, ByteString acl, Credentials caller, int mask) {
        if (caller.getUid() == 0) {
            return (mask & EXECUTE) == 0 || FileMode.isDirectory(mode) || (mode & ANY_EXECUTE) != 0;
        }
        if (caller.getUid() == uid) {
            return (mask & ~(mode >> 6)) == 0;
        }
        if (!acl.isEmpty() && (mode & GROUP) != 0) {
            return AccessControlList.of(acl).allows(caller.getUid(), group -> isIn(caller, group), gid, mode, mask);
        }
        return (mask & ~(mode >> (isIn(caller, gid) ? 3 : 0))) == 0;
    }

    /** Whether the group is the caller's own or one of its supplementary ones. */
    public static boolean isIn(Credentials caller, int group) {
        return caller.getGid() == group || caller.getGroupsList().contains(group);
    }
}
