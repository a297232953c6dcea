package org.beefs.queenbee.console.model;

import java.util.List;

/**
 * What a desktop's programs have to do with the hive.
 *
 * @param openFiles a bounded number of those that are open; {@code DesktopView.openFiles} tells how many there are
 */
public record ClientView(String desktop, List<String> mounts, List<OpenFile> openFiles) {
    /**
     * A file that is open.
     *
     * @param written whether for writing
     */
    public record OpenFile(String path, long inode, boolean written) {}
}
