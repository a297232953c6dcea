package org.beefs.queenbee.namespace;

import org.beefs.queenbee.state.SecuredRecord;

/**
 * A former version of a file, as it was when that was committed. Times are packed.
 *
 * @param committedMtime of the primary's replica file then
 */
public record SecuredVersion(long version, long size, long blocks, long mtime, long committedMtime) {
    /** The newest version of a file. */
    static SecuredVersion of(Inode inode) {
        return new SecuredVersion(inode.version, inode.size, inode.blocks, inode.mtime, inode.committedMtime);
    }

    SecuredRecord toRecord() {
        return SecuredRecord.newBuilder()
                .setVersion(version)
                .setSize(size)
                .setBlocks(blocks)
                .setMtime(mtime)
                .setCommittedMtime(committedMtime)
                .build();
    }

    static SecuredVersion of(SecuredRecord record) {
        return new SecuredVersion(
                record.getVersion(),
                record.getSize(),
                record.getBlocks(),
                record.getMtime(),
                record.getCommittedMtime());
    }
}
