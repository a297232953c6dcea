package org.beefs.common.posix;

/** The bits of st_mode. */
public final class FileMode {
    public static final int TYPE_MASK = 0170000;
    public static final int SOCKET = 0140000;
    public static final int SYMBOLIC_LINK = 0120000;
    public static final int REGULAR = 0100000;
    public static final int BLOCK_DEVICE = 0060000;
    public static final int DIRECTORY = 0040000;
    public static final int CHARACTER_DEVICE = 0020000;
    public static final int FIFO = 0010000;

    public static final int SET_UID = 04000;
    public static final int SET_GID = 02000;
    public static final int STICKY = 01000;
    public static final int PERMISSIONS = 07777;

    private static final int GROUP_EXECUTE = 010;

    private FileMode() {}

    /**
     * A file's mode after somebody without privilege has changed its content. Linux lets members of the file's group
     * keep a set-gid bit that does not mean execution; but a write does not tell who is a member, and that bit is of no
     * use.
     */
    public static int withoutSetIds(int mode) {
        return mode & ~(SET_UID | SET_GID);
    }

    /**
     * A file's mode after it was given to another owner or group: without set-uid, and without set-gid where that means
     * execution.
     */
    public static int withoutPrivileges(int mode) {
        int kept = mode & ~SET_UID;
        return (mode & GROUP_EXECUTE) != 0 ? kept & ~SET_GID : kept;
    }

    public static boolean isDirectory(int mode) {
        return (mode & TYPE_MASK) == DIRECTORY;
    }

    public static boolean isRegular(int mode) {
        return (mode & TYPE_MASK) == REGULAR;
    }

    public static boolean isSymbolicLink(int mode) {
        return (mode & TYPE_MASK) == SYMBOLIC_LINK;
    }
}
