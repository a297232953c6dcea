package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.queenbee.state.ReplicationRecord;
import org.beefs.queenbee.state.SecuredRecord;
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
                .setUnsealed(inode.unsealed)
                .setMoving(inode.moving)
                .setLinkable(inode.linkable)
                .setChanged(inode.changed);
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
        Secondaries secondaries = inode.secondaries;
        secondaries
                .honeycombs()
                .forEach(honeycomb -> record.addSecondaries(honeycomb).addSecondaries(secondaries.lag(honeycomb)));
        SecuredVersion secured = secondaries.secured();
        if (secured != null) {
            record.setSecured(secured.toRecord());
        }
        if (!inode.replication.equals(ReplicationSettings.DEFAULT)) {
            record.setReplication(inode.replication.toRecord());
        }
        return record.build();
    }

    /** Field by field, without a message in between: a start decodes millions. */
    static Inode decode(long number, CodedInputStream record) throws IOException {
        Inode inode = new Inode(number);
        long nextCookie = 0;
        for (int tag = record.readTag(); tag != 0; tag = record.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case InodeRecord.MODE_FIELD_NUMBER -> inode.mode = record.readUInt32();
                case InodeRecord.LINKS_FIELD_NUMBER -> inode.links = record.readUInt32();
                case InodeRecord.UID_FIELD_NUMBER -> inode.uid = record.readUInt32();
                case InodeRecord.GID_FIELD_NUMBER -> inode.gid = record.readUInt32();
                case InodeRecord.SIZE_FIELD_NUMBER -> inode.size = record.readUInt64();
                case InodeRecord.BLOCKS_FIELD_NUMBER -> inode.blocks = record.readUInt64();
                case InodeRecord.ATIME_FIELD_NUMBER -> inode.atime = record.readSFixed64();
                case InodeRecord.MTIME_FIELD_NUMBER -> inode.mtime = record.readSFixed64();
                case InodeRecord.CTIME_FIELD_NUMBER -> inode.ctime = record.readSFixed64();
                case InodeRecord.BTIME_FIELD_NUMBER -> inode.btime = record.readSFixed64();
                case InodeRecord.DEVICE_FIELD_NUMBER -> inode.device = record.readUInt32();
                case InodeRecord.TARGET_FIELD_NUMBER -> inode.body = record.readByteArray();
                case InodeRecord.XATTRS_FIELD_NUMBER -> addXattr(inode, record);
                case InodeRecord.NEXT_COOKIE_FIELD_NUMBER -> nextCookie = record.readUInt64();
                case InodeRecord.HONEYCOMB_FIELD_NUMBER -> inode.honeycomb = record.readUInt32();
                case InodeRecord.GENERATION_FIELD_NUMBER -> inode.generation = record.readUInt32();
                case InodeRecord.EPOCH_FIELD_NUMBER -> inode.epoch = record.readUInt64();
                case InodeRecord.VERSION_FIELD_NUMBER -> inode.version = record.readUInt64();
                case InodeRecord.COMMITTED_MTIME_FIELD_NUMBER -> inode.committedMtime = record.readSFixed64();
                case InodeRecord.DIRTY_FIELD_NUMBER -> inode.dirty = record.readBool();
                case InodeRecord.UNSEALED_FIELD_NUMBER -> inode.unsealed = record.readBool();
                case InodeRecord.MOVING_FIELD_NUMBER -> inode.moving = record.readBool();
                case InodeRecord.LINKABLE_FIELD_NUMBER -> inode.linkable = record.readBool();
                case InodeRecord.SECONDARIES_FIELD_NUMBER ->
                    inode.secondaries = secondaries(record).securedBy(inode.secondaries.secured());
                case InodeRecord.REPLICATION_FIELD_NUMBER ->
                    inode.replication = ReplicationSettings.of(
                            record.readMessage(ReplicationRecord.parser(), ExtensionRegistryLite.getEmptyRegistry()));
                case InodeRecord.SECURED_FIELD_NUMBER ->
                    inode.secondaries = inode.secondaries.securedBy(SecuredVersion.of(
                            record.readMessage(SecuredRecord.parser(), ExtensionRegistryLite.getEmptyRegistry())));
                case InodeRecord.CHANGED_FIELD_NUMBER -> inode.changed = record.readUInt64();
                default -> record.skipField(tag);
            }
        }
        if (inode.isDirectory()) {
            // The entry that names the directory tells its parent; only the root names itself.
            Directory directory = new Directory(inode);
            directory.restoreNextCookie(nextCookie);
            inode.body = directory;
        }
        return inode;
    }

    /** Packed numbers, in pairs. */
    private static Secondaries secondaries(CodedInputStream record) throws IOException {
        int outer = record.pushLimit(record.readRawVarint32());
        Secondaries secondaries = Secondaries.NONE;
        while (record.getBytesUntilLimit() > 0) {
            int honeycomb = (int) record.readUInt64();
            secondaries = secondaries.with(honeycomb, record.readUInt64());
        }
        record.popLimit(outer);
        return secondaries;
    }

    private static void addXattr(Inode inode, CodedInputStream record) throws IOException {
        XattrRecord xattr = record.readMessage(XattrRecord.parser(), ExtensionRegistryLite.getEmptyRegistry());
        if (inode.xattrs == null) {
            inode.xattrs = new Xattrs();
        }
        inode.xattrs.put(xattr.getName(), xattr.getValue());
    }
}
