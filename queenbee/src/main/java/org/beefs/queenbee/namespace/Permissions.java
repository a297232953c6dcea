package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.AccessRights;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;

/** Decides who may do what, as Linux does on a local file system. Stateless. */
public final class Permissions {
    public static final int READ = AccessRights.READ;
    public static final int WRITE = AccessRights.WRITE;
    public static final int EXECUTE = AccessRights.EXECUTE;

    private Permissions() {}

    /** Whether the caller has all the rights of the mask, as access(2). */
    public static boolean allows(Inode inode, Caller caller, int mask) {
        ByteString acl = inode.xattr(AccessControlList.ACCESS);
        return AccessRights.allow(
                inode.mode(),
                inode.uid(),
                inode.gid(),
                acl == null ? ByteString.EMPTY : acl,
                caller.credentials(),
                mask);
    }

    /** Fails with EACCES unless the caller has all the rights of the mask. */
    public static void check(Inode inode, Caller caller, int mask) {
        if (!caller.isAllowed() && !allows(inode, caller, mask)) {
            throw new PosixException(Errno.EACCES, "the permissions of inode " + inode.number() + " forbid it");
        }
    }

    /** Fails with EACCES unless the caller may change the directory's entries. */
    public static void checkChange(Inode directory, Caller caller) {
        check(directory, caller, WRITE | EXECUTE);
    }

    /** Fails with EPERM when the directory is sticky and neither it nor the victim is the caller's. */
    public static void checkSticky(Inode directory, Inode victim, Caller caller) {
        boolean sticky = (directory.mode() & FileMode.STICKY) != 0;
        if (sticky && !caller.owns(victim) && !caller.owns(directory) && !caller.isRoot()) {
            throw new PosixException(Errno.EPERM, "in a sticky directory only owners remove entries");
        }
    }

    /** Fails with EPERM unless the caller is the owner or user 0. */
    public static void checkOwner(Inode inode, Caller caller) {
        if (!caller.owns(inode) && !caller.isRoot()) {
            throw new PosixException(Errno.EPERM, "only the owner may do that");
        }
    }

    /** The group of what the caller makes in a directory. */
    public static int groupOfNew(Inode directory, Caller caller) {
        return (directory.mode() & FileMode.SET_GID) != 0 ? directory.gid() : caller.gid();
    }

    /**
     * The mode that is left of the one that somebody asks for when he makes something there: the directory's default
     * access control list decides, or if it has none the umask (acl(5), "object creation and default ACLs").
     */
    public static int modeOfNew(Inode directory, int mode, int umask) {
        ByteString inherited = directory.defaultList();
        int given =
                inherited.isEmpty() ? ~umask : AccessControlList.of(inherited).mode() | ~0777;
        return mode & given;
    }

    /** Permission bits of a new directory: set-id bits are not asked for but inherited. */
    public static int modeOfNewDirectory(Inode directory, int mode) {
        int asked = mode & FileMode.PERMISSIONS & ~FileMode.SET_UID & ~FileMode.SET_GID;
        return asked | (directory.mode() & FileMode.SET_GID);
    }

    /** Permission bits of a new file: nobody gives it a group's rights who is not in the group. */
    public static int modeOfNewFile(Inode directory, Caller caller, int mode) {
        int groupRights = FileMode.SET_GID | 0010;
        boolean foreign =
                (directory.mode() & FileMode.SET_GID) != 0 && !caller.isRoot() && !caller.isIn(directory.gid());
        boolean strip = foreign && (mode & groupRights) == groupRights;
        return mode & FileMode.PERMISSIONS & (strip ? ~FileMode.SET_GID : ~0);
    }

    /** The mode that chmod really sets: without set-gid for a caller outside of the file's group. */
    public static int modeOfChmod(int group, Caller caller, int mode) {
        boolean keeps = caller.isRoot() || caller.isIn(group);
        return keeps ? mode : mode & ~FileMode.SET_GID;
    }

    /** Fails with EPERM unless the caller may give the inode to that owner and group. */
    public static void checkChown(Inode inode, Caller caller, int uid, int gid) {
        if (caller.isRoot() || caller.isAllowed()) {
            return;
        }
        boolean sameOwner = uid == inode.uid();
        boolean groupAllowed = gid == inode.gid() || caller.isIn(gid);
        if (!caller.owns(inode) || !sameOwner || !groupAllowed) {
            throw new PosixException(Errno.EPERM, "only user 0 may give it to that owner or group");
        }
    }

    /**
     * The mode after chown: set-uid goes, and set-gid where it means execution or the caller is outside of the group.
     */
    public static int modeAfterChown(Inode inode, Caller caller) {
        if (inode.isDirectory()) {
            return inode.mode();
        }
        boolean outside = !caller.isRoot() && !caller.isIn(inode.gid());
        int mode = FileMode.withoutPrivileges(inode.mode());
        return outside ? mode & ~FileMode.SET_GID : mode;
    }
}
