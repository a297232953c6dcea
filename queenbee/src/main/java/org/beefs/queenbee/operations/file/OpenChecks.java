package org.beefs.queenbee.operations.file;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Permissions;

/** Checks what has to hold before a file is opened. */
public final class OpenChecks {
    private OpenChecks() {}

    /**
     * Only regular files are opened here; the kernel itself opens special files, and directories are listed without.
     */
    public static void checkType(Inode inode) {
        if (inode.isDirectory()) {
            throw new PosixException(Errno.EISDIR, "inode " + inode.number() + " is a directory");
        }
        if (inode.isSymbolicLink()) {
            throw new PosixException(Errno.ELOOP, "inode " + inode.number() + " is a symbolic link");
        }
        if (!inode.isRegular()) {
            throw new PosixException(Errno.EINVAL, "inode " + inode.number() + " is no regular file");
        }
    }

    /** An open for execution needs that right in place of the one to read. */
    public static void checkAccess(Inode inode, Caller caller, boolean read, boolean write, boolean execute) {
        int mask = write ? Permissions.WRITE : 0;
        if (execute) {
            mask |= Permissions.EXECUTE;
        } else if (read) {
            mask |= Permissions.READ;
        }
        Permissions.check(inode, caller, mask);
    }
}
