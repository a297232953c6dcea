package org.beefs.queenbee.operations.name;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.Permissions;

/** Checks what has to hold before an entry is taken away, in the order in which Linux does. */
final class RemovalChecks {
    private RemovalChecks() {}

    /** For unlink, and for the target of a rename by what is no directory. */
    static void checkFile(Inode parent, Inode victim, Caller caller) {
        checkEntry(parent, victim, caller);
        if (victim.isDirectory()) {
            throw new PosixException(Errno.EISDIR, "inode " + victim.number() + " is a directory");
        }
    }

    /** For rmdir, and for the target of a rename by a directory; whether it is empty is looked at later. */
    static void checkDirectory(Inode parent, Inode victim, Caller caller) {
        checkEntry(parent, victim, caller);
        if (!victim.isDirectory()) {
            throw new PosixException(Errno.ENOTDIR, "inode " + victim.number() + " is no directory");
        }
        if (victim.number() == Namespace.ROOT) {
            throw new PosixException(Errno.EBUSY, "the root stays");
        }
    }

    /** Whether the caller may take the entry out of its directory, whatever it is. */
    static void checkEntry(Inode parent, Inode victim, Caller caller) {
        Permissions.checkChange(parent, caller);
        Permissions.checkSticky(parent, victim, caller);
    }

    static void checkEmpty(Inode directory) {
        if (!directory.directory().isEmpty()) {
            throw new PosixException(Errno.ENOTEMPTY, "directory " + directory.number() + " is not empty");
        }
    }
}
