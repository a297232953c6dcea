package org.beefs.honeybee.jnr;

import jnr.ffi.Pointer;
import jnr.ffi.annotations.Delegate;
import org.jspecify.annotations.Nullable;

/**
 * The forms of libfuse's callbacks. jnr-fuse has them too, but with names as text, which loses what is not UTF-8.
 * Public because jnr-ffi implements them in a class loader of its own. Each answers 0 or more, or a negative errno.
 */
public final class Callbacks {
    private Callbacks() {}

    /** unlink, rmdir. */
    public interface OfPath {
        @Delegate
        int call(Pointer path);
    }

    /** What has one more argument by reference: getattr, open, rename, utimens and others. */
    public interface OfPathAndPointer {
        @Delegate
        int call(Pointer path, Pointer argument);
    }

    /** flush, release, releasedir. As below, open files come without a path. */
    public interface OfFile {
        @Delegate
        int call(@Nullable Pointer path, Pointer file);
    }

    /** fgetattr. */
    public interface OfPathAndTwoPointers {
        @Delegate
        int call(@Nullable Pointer path, Pointer first, Pointer second);
    }

    /** mkdir, chmod. */
    public interface OfPathAndMode {
        @Delegate
        int call(Pointer path, int mode);
    }

    /** mknod. */
    public interface OfPathModeAndDevice {
        @Delegate
        int call(Pointer path, int mode, long device);
    }

    /** chown. */
    public interface OfPathAndOwners {
        @Delegate
        int call(Pointer path, int uid, int gid);
    }

    /** truncate. */
    public interface OfPathAndLength {
        @Delegate
        int call(Pointer path, long length);
    }

    /** ftruncate. */
    public interface OfFileAndLength {
        @Delegate
        int call(@Nullable Pointer path, long length, Pointer file);
    }

    /** create. */
    public interface OfPathModeAndFile {
        @Delegate
        int call(Pointer path, int mode, Pointer file);
    }

    /** fsync, fsyncdir. */
    public interface OfNumberAndFile {
        @Delegate
        int call(@Nullable Pointer path, int number, Pointer file);
    }

    /** flock. */
    public interface OfFileAndNumber {
        @Delegate
        int call(@Nullable Pointer path, Pointer file, int number);
    }

    /** read, write. */
    public interface OfContent {
        @Delegate
        int call(@Nullable Pointer path, Pointer buffer, long size, long offset, Pointer file);
    }

    /** readdir. */
    public interface OfListing {
        @Delegate
        int call(@Nullable Pointer path, Pointer buffer, Pointer filler, long offset, Pointer file);
    }

    /** readlink, listxattr. */
    public interface OfRoom {
        @Delegate
        int call(Pointer path, @Nullable Pointer buffer, long size);
    }

    /** getxattr. */
    public interface OfNameAndRoom {
        @Delegate
        int call(Pointer path, Pointer name, @Nullable Pointer buffer, long size);
    }

    /** setxattr. */
    public interface OfNameAndValue {
        @Delegate
        int call(Pointer path, Pointer name, @Nullable Pointer value, long size, int flags);
    }

    /** lock. */
    public interface OfLock {
        @Delegate
        int call(@Nullable Pointer path, Pointer file, int command, Pointer lock);
    }

    /** fallocate. */
    public interface OfRange {
        @Delegate
        int call(@Nullable Pointer path, int mode, long offset, long length, Pointer file);
    }

    /** init. */
    public interface OfConnection {
        @Delegate
        @Nullable
        Pointer call(Pointer connection);
    }
}
