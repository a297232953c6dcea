package org.beefs.integration.linux;

/**
 * One entry as readdir tells it.
 *
 * @param inode d_ino
 * @param type d_type, one of DT_*; 0 is unknown
 * @param name of the entry, with "." and ".."
 */
public record DirectoryEntry(long inode, int type, String name) {
    private static final int DT_DIR = 4;

    public boolean isFolder() {
        return type == DT_DIR;
    }

    /** Whether it is "." or "..", which every directory has. */
    public boolean isDots() {
        return name.equals(".") || name.equals("..");
    }
}
