package org.beefs.honeybee.fuse.protocol;

import org.beefs.common.linux.PageMemory;

/** Numbers of the kernel's protocol, by the names that include/uapi/linux/fuse.h gives them. */
public final class Protocol {
    public static final int MAJOR = 7;
    /** The newest minor version that this driver knows; the kernel speaks the lower of both. */
    public static final int NEWEST_MINOR = 45;
    /** Older kernels (before 5.4) lack too much of what is needed here. */
    public static final int OLDEST_MINOR = 31;

    /** From here on the kernel can be made to ask again for all entries (Linux 6.16). */
    public static final int EPOCHS_SINCE_MINOR = 44;

    public static final int MAX_WRITE = 1 << 20;
    static final int MAX_PAGES = MAX_WRITE / PageMemory.PAGE;

    /** Flags of INIT; those from bit 32 travel in a second field. */
    public static final long INIT_ASYNC_READ = 1L;

    public static final long INIT_POSIX_LOCKS = 1L << 1;
    public static final long INIT_ATOMIC_O_TRUNC = 1L << 3;
    public static final long INIT_BIG_WRITES = 1L << 5;
    public static final long INIT_DONT_MASK = 1L << 6;
    public static final long INIT_FLOCK_LOCKS = 1L << 10;
    public static final long INIT_AUTO_INVAL_DATA = 1L << 12;
    public static final long INIT_DO_READDIRPLUS = 1L << 13;
    public static final long INIT_PARALLEL_DIROPS = 1L << 18;
    public static final long INIT_POSIX_ACL = 1L << 20;
    public static final long INIT_MAX_PAGES = 1L << 22;
    public static final long INIT_CACHE_SYMLINKS = 1L << 23;
    public static final long INIT_HANDLE_KILLPRIV_V2 = 1L << 28;
    public static final long INIT_EXT = 1L << 30;
    public static final long INIT_DIRECT_IO_ALLOW_MMAP = 1L << 36;
    public static final long INIT_PASSTHROUGH = 1L << 37;
    public static final long INIT_OVER_IO_URING = 1L << 41;

    /** Flags of the answer to OPEN and CREATE. */
    public static final int FOPEN_DIRECT_IO = 1;

    public static final int FOPEN_KEEP_CACHE = 1 << 1;
    public static final int FOPEN_NOFLUSH = 1 << 5;
    public static final int FOPEN_PARALLEL_DIRECT_WRITES = 1 << 6;
    public static final int FOPEN_PASSTHROUGH = 1 << 7;

    /** Flags of OPEN and CREATE beside those of open(2): the caller lacks CAP_FSETID and truncates. */
    static final int OPEN_KILL_SUIDGID = 1;

    static final int FATTR_MODE = 1;
    static final int FATTR_UID = 1 << 1;
    static final int FATTR_GID = 1 << 2;
    static final int FATTR_SIZE = 1 << 3;
    static final int FATTR_ATIME = 1 << 4;
    static final int FATTR_MTIME = 1 << 5;
    static final int FATTR_FH = 1 << 6;
    static final int FATTR_ATIME_NOW = 1 << 7;
    static final int FATTR_MTIME_NOW = 1 << 8;
    static final int FATTR_KILL_SUIDGID = 1 << 11;

    /** The write comes from dirty pages of a mapping: its place is fixed, and who caused it is unknown. */
    static final int WRITE_CACHE = 1;

    static final int WRITE_KILL_SUIDGID = 1 << 2;

    public static final int FSYNC_FDATASYNC = 1;

    public static final int F_RDLCK = 0;
    public static final int F_WRLCK = 1;
    public static final int F_UNLCK = 2;

    /** The lock is one of flock(2). */
    static final int LK_FLOCK = 1;

    public static final int RENAME_NOREPLACE = 1;
    public static final int RENAME_EXCHANGE = 1 << 1;

    public static final int XATTR_CREATE = 1;
    public static final int XATTR_REPLACE = 2;

    public static final int SEEK_DATA = 3;
    public static final int SEEK_HOLE = 4;

    /** Messages to the kernel that answer no request. */
    static final int NOTIFY_INVAL_INODE = 2;

    static final int NOTIFY_INC_EPOCH = 8;

    private Protocol() {}
}
