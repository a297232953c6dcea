package org.beefs.honeybee.fuse.protocol;

import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;

/** Flags of open(2) as Linux numbers them. */
public final class LinuxFlags {
    private LinuxFlags() {}

    /** The flags that open(2) was told. The third access mode, for ioctl only, is checked like reading and writing. */
    public static OpenFlags open(int flags) {
        int access = flags & Protocol.O_ACCMODE;
        return new OpenFlags(
                access != Protocol.O_WRONLY,
                access != Protocol.O_RDONLY,
                (flags & Protocol.O_TRUNC) != 0,
                (flags & Protocol.O_EXCL) != 0,
                (flags & Protocol.FMODE_EXEC) != 0,
                (flags & Protocol.O_NOATIME) != 0);
    }

    /** Whether writes go to the end. */
    public static boolean isAppend(int flags) {
        return (flags & Protocol.O_APPEND) != 0;
    }

    /** Whether writes are on disk when they are answered. */
    public static boolean isDurable(int flags) {
        return (flags & Protocol.O_DSYNC) != 0;
    }
}
