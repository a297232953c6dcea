package org.beefs.queenbee.console.model.replication;

import java.util.List;

/**
 * What would be if some desktops were off.
 *
 * @param desktops that are off besides those that are away now
 * @param files that have content
 * @param unreachable files that can be read now, and then could not
 * @param bytes of these
 * @param alreadyUnreachable files that cannot be read now
 * @param examples of the unreachable ones; a bounded number of them
 */
public record WithoutDesktops(
        List<String> desktops,
        long files,
        long unreachable,
        long bytes,
        long alreadyUnreachable,
        List<Example> examples) {
    /** A file, and the desktops that have its newest version. */
    public record Example(String path, long inode, long size, List<String> desktops) {}
}
