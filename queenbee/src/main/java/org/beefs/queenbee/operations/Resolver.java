package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/** Finds what requests name. */
public final class Resolver {
    private final Namespace namespace;

    public Resolver(Namespace namespace) {
        this.namespace = namespace;
    }

    /** The inode of that number, also if it was removed a moment ago and may still be in use. */
    public Inode inode(long number) {
        Inode inode = namespace.find(number);
        if (inode == null) {
            inode = namespace.findRemoved(number);
        }
        if (inode == null) {
            throw stale(number);
        }
        return inode;
    }

    /** An inode that has not been removed. */
    public Inode existing(long number) {
        Inode inode = namespace.find(number);
        if (inode == null) {
            throw stale(number);
        }
        return inode;
    }

    /** The directory of that number, also if it was removed a moment ago; then it is empty. */
    public Inode directory(long number) {
        Inode inode = inode(number);
        if (!inode.isDirectory()) {
            throw new PosixException(Errno.ENOTDIR, "inode " + number + " is no directory");
        }
        return inode;
    }

    @Nullable
    public Dentry find(Inode directory, ByteString name) {
        FileName.check(name);
        return directory.directory().find(name);
    }

    /** The entry of that name; fails with ENOENT. */
    public Dentry entry(Inode directory, ByteString name) {
        Dentry entry = find(directory, name);
        if (entry == null) {
            throw noEntry(directory);
        }
        return entry;
    }

    public static PosixException noEntry(Inode directory) {
        return new PosixException(Errno.ENOENT, "there is no such entry in directory " + directory.number());
    }

    /** Fails with EEXIST when the name is taken. */
    public void checkFree(Inode directory, ByteString name) {
        if (FileName.isDots(name) || find(directory, name) != null) {
            throw new PosixException(Errno.EEXIST, "the name exists in directory " + directory.number());
        }
    }

    /** Fails with ENOENT for a directory that was removed: nothing can be made in it. */
    public static void checkAlive(Inode directory) {
        if (directory.links() == 0) {
            throw new PosixException(Errno.ENOENT, "directory " + directory.number() + " was removed");
        }
    }

    private static PosixException stale(long number) {
        return new PosixException(Errno.ESTALE, "there is no inode " + number);
    }
}
