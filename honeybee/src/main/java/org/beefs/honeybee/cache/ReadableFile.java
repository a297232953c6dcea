package org.beefs.honeybee.cache;

import org.beefs.common.wire.Layout;

/**
 * A clean file under the lease on its attributes, whose content nobody changes as long as that lasts.
 *
 * @param layout by which it can be read
 * @param lease a number that no other lease on the file's attributes has had, or will have
 */
public record ReadableFile(Layout layout, long lease) {
    public long inode() {
        return layout.getInode();
    }

    /** In bytes. */
    public long size() {
        return layout.getCommittedSize();
    }
}
