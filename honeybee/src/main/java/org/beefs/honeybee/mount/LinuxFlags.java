package org.beefs.honeybee.mount;

import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;

/** Flags of open(2) as Linux numbers them. */
public final class LinuxFlags {
    private static final int O_ACCMODE = 3;
    private static final int O_RDONLY = 0;
    private static final int O_WRONLY = 1;
    private static final int O_EXCL = 0200;
    private static final int O_TRUNC = 01000;
    private static final int O_APPEND = 02000;
    private static final int O_NOATIME = 01000000;
    /** Also part of O_SYNC. */
    private static final int O_DSYNC = 010000;
    /** Set by the kernel itself when it opens a program to run it. */
    private static final int FMODE_EXEC = 040;

    private LinuxFlags() {}

    /** The flags that open(2) was told. The third access mode, for ioctl only, is checked like reading and writing. */
    public static OpenFlags open(int flags) {
        int access = flags & O_ACCMODE;
        return new OpenFlags(
                access != O_WRONLY,
                access != O_RDONLY,
                (flags & O_TRUNC) != 0,
                (flags & O_EXCL) != 0,
                (flags & FMODE_EXEC) != 0,
                (flags & O_NOATIME) != 0);
    }

    /** Whether writes go to the end. */
    public static boolean isAppend(int flags) {
        return (flags & O_APPEND) != 0;
    }

    /** Whether writes are on disk when they are answered. */
    public static boolean isDurable(int flags) {
        return (flags & O_DSYNC) != 0;
    }
}
