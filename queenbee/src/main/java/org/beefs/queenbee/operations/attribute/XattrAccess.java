package org.beefs.queenbee.operations.attribute;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.posix.XattrNames;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Permissions;

/** Decides who may use which extended attribute, as xattr(7) says. */
final class XattrAccess {
    private XattrAccess() {}

    static void checkRead(Inode inode, ByteString name, Caller caller) {
        checkName(name);
        if (name.startsWith(XattrNames.TRUSTED) && !caller.isRoot()) {
            throw absent();
        }
        if (name.startsWith(XattrNames.USER)) {
            if (!mayHaveUserAttributes(inode)) {
                throw absent();
            }
            Permissions.check(inode, caller, Permissions.READ);
        }
    }

    static void checkWrite(Inode inode, ByteString name, Caller caller) {
        checkName(name);
        if (!name.startsWith(XattrNames.USER)) {
            if (!caller.isRoot()) {
                throw new PosixException(Errno.EPERM, "only user 0 changes attributes of that namespace");
            }
            return;
        }
        if (!mayHaveUserAttributes(inode)) {
            throw new PosixException(Errno.EPERM, "only files and directories have user attributes");
        }
        boolean sticky = inode.isDirectory() && (inode.mode() & FileMode.STICKY) != 0;
        if (sticky) {
            Permissions.checkOwner(inode, caller);
        }
        Permissions.check(inode, caller, Permissions.WRITE);
    }

    /** Whether the attribute's name is shown to the caller. */
    static boolean isListed(ByteString name, Caller caller) {
        return caller.isRoot() || !name.startsWith(XattrNames.TRUSTED);
    }

    static PosixException absent() {
        return new PosixException(Errno.ENODATA, "there is no such attribute");
    }

    private static void checkName(ByteString name) {
        if (name.size() > XattrNames.LONGEST || name.isEmpty()) {
            throw new PosixException(Errno.ERANGE, "the name of an attribute has 1 to 255 bytes");
        }
        ByteString namespace = XattrNames.namespaceOf(name);
        if (namespace == null) {
            throw new PosixException(Errno.EOPNOTSUPP, "attributes begin with user., trusted. or security.");
        }
        if (name.equals(namespace)) {
            throw new PosixException(Errno.EINVAL, "an attribute needs a name after its namespace");
        }
    }

    private static boolean mayHaveUserAttributes(Inode inode) {
        return inode.isRegular() || inode.isDirectory();
    }
}
