package org.beefs.integration.linux;

import java.time.Instant;
import org.beefs.common.posix.FileMode;

/**
 * What stat says about a file.
 *
 * @param inode st_ino
 * @param mode type and permissions
 * @param links number of hard links
 * @param owner uid
 * @param group gid
 * @param size in bytes
 * @param blocks of 512 bytes
 * @param accessed atime
 * @param modified mtime
 * @param changed ctime
 */
public record FileStatus(
        long inode,
        int mode,
        int links,
        int owner,
        int group,
        long size,
        long blocks,
        Instant accessed,
        Instant modified,
        Instant changed) {

    public int type() {
        return mode & FileMode.TYPE_MASK;
    }

    public int permissions() {
        return mode & FileMode.PERMISSIONS;
    }
}
