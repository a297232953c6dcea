package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.FileMode;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.queenbee.state.XattrRecord;

/** Between inodes in memory and on disk. */
final class InodeRecords {
    private InodeRecords() {}

    static InodeRecord encode(Inode inode) {
        InodeRecord.Builder record = InodeRecord.newBuilder()
                .setMode(inode.mode)
                .setLinks(inode.links)
                .setUid(inode.uid)
                .setGid(inode.gid)
                .setSize(inode.size)
                .setBlocks(inode.blocks)
                .setAtime(inode.atime)
                .setMtime(inode.mtime)
                .setCtime(inode.ctime)
                .setBtime(inode.btime)
                .setDevice(inode.device)
                .setHoneycomb(inode.honeycomb)
                .setGeneration(inode.generation)
                .setEpoch(inode.epoch)
                .setVersion(inode.version)
                .setCommittedMtime(inode.committedMtime)
                .setDirty(inode.dirty)
                .setUnsealed(inode.unsealed);
        if (inode.isDirectory()) {
            record.setNextCookie(inode.directory().nextCookie());
        } else if (inode.isSymbolicLink()) {
            record.setTarget(ByteString.copyFrom(inode.target()));
        }
        Xattrs xattrs = inode.xattrs;
        if (xattrs != null) {
            for (ByteString name : xattrs.names()) {
                ByteString value = xattrs.get(name);
                record.addXattrs(
                        XattrRecord.newBuilder().setName(name).setValue(value == null ? ByteString.EMPTY : value));
            }
        }
        return record.build();
    }

    static Inode decode(long number, InodeRecord record) {
        Inode inode = new Inode(number);
        inode.mode = record.getMode();
        inode.links = record.getLinks();
        inode.uid = record.getUid();
        inode.gid = record.getGid();
        inode.size = record.getSize();
        inode.blocks = record.getBlocks();
        inode.atime = record.getAtime();
        inode.mtime = record.getMtime();
        inode.ctime = record.getCtime();
        inode.btime = record.getBtime();
        inode.device = record.getDevice();
        inode.honeycomb = record.getHoneycomb();
        inode.generation = record.getGeneration();
        inode.epoch = record.getEpoch();
        inode.version = record.getVersion();
        inode.committedMtime = record.getCommittedMtime();
        inode.dirty = record.getDirty();
        inode.unsealed = record.getUnsealed();
        if (FileMode.isDirectory(inode.mode)) {
            // The entry that names the directory tells its parent; only the root names itself.
            Directory directory = new Directory(inode);
            directory.restoreNextCookie(record.getNextCookie());
            inode.body = directory;
        } else if (FileMode.isSymbolicLink(inode.mode)) {
            inode.body = record.getTarget().toByteArray();
        }
        for (XattrRecord xattr : record.getXattrsList()) {
            if (inode.xattrs == null) {
                inode.xattrs = new Xattrs();
            }
            inode.xattrs.put(xattr.getName(), xattr.getValue());
        }
        return inode;
    }
}
