package org.beefs.honeybee.filesystem;

import org.beefs.common.posix.FileMode;

/** What this mount knows of an inode while it has it open. Thread-safe. */
final class OpenInode {
    private static final int GROUP_EXECUTE = 0010;

    private volatile int mode;

    OpenInode(int mode) {
        this.mode = mode;
    }

    /** The queen-bee said that this is its mode. */
    void observeMode(int present) {
        mode = present;
    }

    /** Whether it has a set-uid or set-gid bit. As far as this mount knows. */
    boolean hasSetIdBits() {
        return (mode & (FileMode.SET_UID | FileMode.SET_GID)) != 0;
    }

    /** Whether a write by somebody without privilege takes bits away. As far as this mount knows. */
    boolean hasPrivileges() {
        int present = mode;
        return (present & FileMode.SET_UID) != 0
                || (present & (FileMode.SET_GID | GROUP_EXECUTE)) == (FileMode.SET_GID | GROUP_EXECUTE);
    }
}
