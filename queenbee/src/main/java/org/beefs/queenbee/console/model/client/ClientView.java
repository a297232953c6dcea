package org.beefs.queenbee.console.model.client;

import java.util.List;

/**
 * What a desktop's programs have to do with the hive.
 *
 * @param openFiles a bounded number of those that are open; {@code DesktopView.openFiles} tells how many there are
 * @param leases names and attributes that it keeps because nobody changes them without asking it
 * @param locks that its programs hold
 * @param heldLocks a bounded number of these
 */
public record ClientView(
        String desktop,
        List<String> mounts,
        List<OpenFile> openFiles,
        long leases,
        long locks,
        List<HeldLock> heldLocks) {
    /**
     * A file that is open.
     *
     * @param written whether for writing
     */
    public record OpenFile(String path, long inode, boolean written) {}

    /**
     * A lock that a program holds on a file.
     *
     * @param kind {@code record} (fcntl) or {@code flock}
     * @param exclusive whether nobody else may hold one there
     * @param pid of its process
     */
    public record HeldLock(String path, long inode, String kind, boolean exclusive, int pid) {}
}
