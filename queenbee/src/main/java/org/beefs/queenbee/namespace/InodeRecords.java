package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Arrays;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.queenbee.state.ReplicationRecord;
import org.beefs.queenbee.state.SecuredRecord;
import org.beefs.queenbee.state.XattrRecord;
import org.jspecify.annotations.Nullable;

/** Translates between inodes in memory and their records on disk. */
final class InodeRecords {
    /** Bytes that all fields of a fixed number of bytes take at most: 27 of up to 12, and two short messages. */
    private static final int FIXED_BOUND = 512;

    /** Bytes of the two numbers of a secondary replica, at most. */
    private static final int SECONDARY_BOUND = 20;

    /** Bytes that an extended attribute takes besides its name and value, at most. */
    private static final int XATTR_BOUND = 32;

    private InodeRecords() {}

    /**
     * Encodes field by field, without a message in between: each change is encoded for the journal, and for the
     * catalogs.
     */
    static byte[] encode(Inode inode) {
        byte[] target = inode.isSymbolicLink() ? inode.target() : null;
        int variable = (target == null ? 0 : target.length)
                + xattrsBound(inode.xattrs)
                + inode.secondaries.size() * SECONDARY_BOUND;
        byte[] bytes = new byte[FIXED_BOUND + variable];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            writeNumbers(inode, out);
            if (target != null) {
                out.writeByteArray(InodeRecord.TARGET_FIELD_NUMBER, target);
            }
            writeXattrs(inode.xattrs, out);
            writeReplication(inode, out);
        } catch (IOException tooSmall) {
            throw new IllegalStateException("the bound for inode " + inode.number + " is wrong", tooSmall);
        }
        return Arrays.copyOf(bytes, out.getTotalBytesWritten());
    }

    private static void writeNumbers(Inode inode, CodedOutputStream out) throws IOException {
        unsigned(InodeRecord.MODE_FIELD_NUMBER, inode.mode, out);
        unsigned(InodeRecord.LINKS_FIELD_NUMBER, inode.links, out);
        unsigned(InodeRecord.UID_FIELD_NUMBER, inode.uid, out);
        unsigned(InodeRecord.GID_FIELD_NUMBER, inode.gid, out);
        unsigned(InodeRecord.SIZE_FIELD_NUMBER, inode.size, out);
        unsigned(InodeRecord.BLOCKS_FIELD_NUMBER, inode.blocks, out);
        time(InodeRecord.ATIME_FIELD_NUMBER, inode.atime, out);
        time(InodeRecord.MTIME_FIELD_NUMBER, inode.mtime, out);
        time(InodeRecord.CTIME_FIELD_NUMBER, inode.ctime, out);
        time(InodeRecord.BTIME_FIELD_NUMBER, inode.btime, out);
        unsigned(InodeRecord.DEVICE_FIELD_NUMBER, inode.device, out);
        unsigned(InodeRecord.HONEYCOMB_FIELD_NUMBER, inode.honeycomb, out);
        unsigned(InodeRecord.GENERATION_FIELD_NUMBER, inode.generation, out);
        unsigned(InodeRecord.EPOCH_FIELD_NUMBER, inode.epoch, out);
        unsigned(InodeRecord.VERSION_FIELD_NUMBER, inode.version, out);
        time(InodeRecord.COMMITTED_MTIME_FIELD_NUMBER, inode.committedMtime, out);
        flag(InodeRecord.DIRTY_FIELD_NUMBER, inode.dirty, out);
        flag(InodeRecord.UNSEALED_FIELD_NUMBER, inode.unsealed, out);
        flag(InodeRecord.MOVING_FIELD_NUMBER, inode.moving, out);
        flag(InodeRecord.LINKABLE_FIELD_NUMBER, inode.linkable, out);
        unsigned(InodeRecord.CHANGED_FIELD_NUMBER, inode.changed, out);
        if (inode.isDirectory()) {
            unsigned(InodeRecord.NEXT_COOKIE_FIELD_NUMBER, inode.directory().nextCookie(), out);
        }
    }

    private static void writeReplication(Inode inode, CodedOutputStream out) throws IOException {
        Secondaries secondaries = inode.secondaries;
        if (!secondaries.isEmpty()) {
            writeSecondaries(secondaries, out);
        }
        unsigned(InodeRecord.EXTRAS_FIELD_NUMBER, secondaries.extras(), out);
        SecuredVersion secured = secondaries.secured();
        if (secured != null) {
            out.writeMessage(InodeRecord.SECURED_FIELD_NUMBER, secured.toRecord());
        }
        if (!inode.replication.equals(ReplicationSettings.DEFAULT)) {
            out.writeMessage(InodeRecord.REPLICATION_FIELD_NUMBER, inode.replication.toRecord());
        }
    }

    private static void writeSecondaries(Secondaries secondaries, CodedOutputStream out) throws IOException {
        int[] honeycombs = secondaries.honeycombs().toArray();
        int size = 0;
        for (int honeycomb : honeycombs) {
            size += CodedOutputStream.computeUInt64SizeNoTag(honeycomb)
                    + CodedOutputStream.computeUInt64SizeNoTag(secondaries.lag(honeycomb));
        }
        out.writeTag(InodeRecord.SECONDARIES_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(size);
        for (int honeycomb : honeycombs) {
            out.writeUInt64NoTag(honeycomb);
            out.writeUInt64NoTag(secondaries.lag(honeycomb));
        }
    }

    private static void writeXattrs(@Nullable Xattrs xattrs, CodedOutputStream out) throws IOException {
        if (xattrs == null) {
            return;
        }
        for (ByteString name : xattrs.names()) {
            ByteString value = xattrs.get(name);
            out.writeMessage(
                    InodeRecord.XATTRS_FIELD_NUMBER,
                    XattrRecord.newBuilder()
                            .setName(name)
                            .setValue(value == null ? ByteString.EMPTY : value)
                            .build());
        }
    }

    private static int xattrsBound(@Nullable Xattrs xattrs) {
        return xattrs == null ? 0 : xattrs.total() + xattrs.names().size() * XATTR_BOUND;
    }

    /** Writes an unsigned number: negative ones are those above 2^31. */
    private static void unsigned(int field, int number, CodedOutputStream out) throws IOException {
        if (number != 0) {
            out.writeUInt32(field, number);
        }
    }

    private static void unsigned(int field, long number, CodedOutputStream out) throws IOException {
        if (number != 0) {
            out.writeUInt64(field, number);
        }
    }

    private static void time(int field, long packed, CodedOutputStream out) throws IOException {
        if (packed != 0) {
            out.writeSFixed64(field, packed);
        }
    }

    private static void flag(int field, boolean set, CodedOutputStream out) throws IOException {
        if (set) {
            out.writeBool(field, true);
        }
    }

    /** Decodes field by field, without a message in between: a start decodes millions. */
    static Inode decode(long number, CodedInputStream record) throws IOException {
        Inode inode = new Inode(number);
        long nextCookie = 0;
        int extras = 0;
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
                case InodeRecord.EXTRAS_FIELD_NUMBER -> extras = record.readUInt32();
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
        if (extras != 0) {
            inode.secondaries = inode.secondaries.withExtras(extras);
        }
        if (inode.isDirectory()) {
            // The entry that names the directory tells its parent; only the root names itself.
            Directory directory = new Directory(inode);
            directory.restoreNextCookie(nextCookie);
            inode.body = directory;
        }
        return inode;
    }

    /** Reads packed numbers, in pairs. */
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
