package org.beefs.queenbee.namespace;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.beefs.queenbee.state.EntryRecord;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the namespace from its records in the order of their keys: all inodes, then all entries by directory and
 * cookie. It gathers what belongs into one table, so that each table is made once, with its final size. Throws
 * {@link IllegalStateException} for what does not fit together.
 */
public final class NamespaceLoader {
    private static final byte[] NO_NAME = new byte[0];

    private final Namespace namespace;
    private final List<Inode> inodes = new ArrayList<>();

    /** The directory whose entries are being gathered. */
    private @Nullable Inode directory;

    private final List<Dentry> entries = new ArrayList<>();

    public NamespaceLoader(Namespace namespace) {
        this.namespace = namespace;
    }

    public Inode inode(long number, CodedInputStream record) throws IOException {
        Inode inode = InodeRecords.decode(number, record);
        inodes.add(inode);
        return inode;
    }

    public void entry(long directoryNumber, long cookie, CodedInputStream record) throws IOException {
        Inode parent = directoryOf(directoryNumber);
        byte[] name = NO_NAME;
        long number = 0;
        for (int tag = record.readTag(); tag != 0; tag = record.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case EntryRecord.NAME_FIELD_NUMBER -> name = record.readByteArray();
                case EntryRecord.INODE_FIELD_NUMBER -> number = record.readUInt64();
                default -> record.skipField(tag);
            }
        }
        Inode inode = namespace.find(number);
        if (inode == null) {
            throw new IllegalStateException("an entry names the missing inode " + number);
        }
        Dentry entry = new Dentry(name, cookie, inode);
        namespace.link(parent, entry);
        entries.add(entry);
    }

    /** There are no more records. */
    public void finish() {
        addInodes();
        addEntries();
        if (namespace.find(Namespace.ROOT) == null) {
            throw new IllegalStateException("the root directory is missing");
        }
    }

    private Inode directoryOf(long number) {
        if (directory == null || directory.number != number) {
            addInodes();
            addEntries();
            directory = namespace.find(number);
            if (directory == null || !directory.isDirectory()) {
                throw new IllegalStateException("entries belong to " + number + ", which is no directory");
            }
        }
        return directory;
    }

    private void addInodes() {
        namespace.insertAll(inodes);
        inodes.clear();
    }

    private void addEntries() {
        if (directory != null) {
            directory.directory().addAll(entries);
            entries.clear();
        }
    }
}
