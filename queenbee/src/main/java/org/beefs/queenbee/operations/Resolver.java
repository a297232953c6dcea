package org.beefs.queenbee.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/** Finds what requests name. */
final class Resolver {
    private final Namespace namespace;

    Resolver(Namespace namespace) {
        this.namespace = namespace;
    }

    /** Also an inode that was removed a moment ago and may still be in use. */
    Inode inode(long number) {
        Inode inode = namespace.find(number);
        if (inode == null) {
            inode = namespace.findRemoved(number);
        }
        if (inode == null) {
            throw stale(number);
        }
        return inode;
    }

    /** An inode that can be changed. */
    Inode existing(long number) {
        Inode inode = namespace.find(number);
        if (inode == null) {
            throw stale(number);
        }
        return inode;
    }

    /** Also a directory that was removed a moment ago; it is empty. */
    Inode directory(long number) {
        Inode inode = inode(number);
        if (!inode.isDirectory()) {
            throw new PosixException(Errno.ENOTDIR, "inode " + number + " is no directory");
        }
        return inode;
    }

    @Nullable
    Dentry find(Inode directory, ByteString name) {
        Names.check(name);
        return directory.directory().find(name);
    }

    /** Fails with ENOENT. */
    Dentry entry(Inode directory, ByteString name) {
        Dentry entry = find(directory, name);
        if (entry == null) {
            throw noEntry(directory);
        }
        return entry;
    }

    static PosixException noEntry(Inode directory) {
        return new PosixException(Errno.ENOENT, "there is no such entry in directory " + directory.number());
    }

    /** Fails with EEXIST when the name is taken. */
    void checkFree(Inode directory, ByteString name) {
        if (Names.isDots(name) || find(directory, name) != null) {
            throw new PosixException(Errno.EEXIST, "the name exists in directory " + directory.number());
        }
    }

    /** Fails with ENOENT for a directory that was removed: nothing can be made in it. */
    static void checkAlive(Inode directory) {
        if (directory.links() == 0) {
            throw new PosixException(Errno.ENOENT, "directory " + directory.number() + " was removed");
        }
    }

    private static PosixException stale(long number) {
        return new PosixException(Errno.ESTALE, "there is no inode " + number);
    }
}
