package org.beefs.honeybee.cache;

import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;

/** Who may do what with an inode, as the queen-bee decides it. Stateless. */
final class AccessRights {
    static final int SEARCH = 1;

    private static final int ANY_EXECUTE = 0111;

    private AccessRights() {}

    /** As access(2). */
    static boolean allow(Attributes inode, Credentials caller, int mask) {
        int mode = inode.getMode();
        if (caller.getUid() == 0) {
            return (mask & SEARCH) == 0 || FileMode.isDirectory(mode) || (mode & ANY_EXECUTE) != 0;
        }
        return ((mode >> shift(inode, caller)) & mask) == mask;
    }

    private static int shift(Attributes inode, Credentials caller) {
        if (caller.getUid() == inode.getUid()) {
            return 6;
        }
        boolean isMember =
                caller.getGid() == inode.getGid() || caller.getGroupsList().contains(inode.getGid());
        return isMember ? 3 : 0;
    }
}
