package org.beefs.simulator.kernel;

import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;

/** Who may do what, as the kernel judges it under {@code default_permissions}. */
final class Permissions {
    static final int READ = 4;
    static final int WRITE = 2;
    static final int EXECUTE = 1;

    private static final int ANY_EXECUTE = 0111;

    private Permissions() {}

    static boolean allow(Attributes inode, Credentials caller, int mask) {
        int mode = inode.getMode();
        if (caller.getUid() == 0) {
            return (mask & EXECUTE) == 0 || FileMode.isDirectory(mode) || (mode & ANY_EXECUTE) != 0;
        }
        boolean member =
                caller.getGid() == inode.getGid() || caller.getGroupsList().contains(inode.getGid());
        int shift = caller.getUid() == inode.getUid() ? 6 : member ? 3 : 0;
        return ((mode >> shift) & mask) == mask;
    }
}
