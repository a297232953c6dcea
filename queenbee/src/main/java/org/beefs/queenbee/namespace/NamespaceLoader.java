package org.beefs.queenbee.namespace;

import com.google.protobuf.InvalidProtocolBufferException;
import org.beefs.queenbee.state.EntryRecord;
import org.beefs.queenbee.state.InodeRecord;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the namespace from its records in the order of their keys: all inodes, then all entries by directory and cookie.
 * Throws {@link IllegalStateException} for what does not fit together.
 */
public final class NamespaceLoader {
    private final Namespace namespace;
    private @Nullable Inode lastDirectory;

    public NamespaceLoader(Namespace namespace) {
        this.namespace = namespace;
    }

    public Inode inode(long number, byte[] record) throws InvalidProtocolBufferException {
        Inode inode = InodeRecords.decode(number, InodeRecord.parseFrom(record));
        namespace.insert(inode);
        return inode;
    }

    public void entry(long directory, long cookie, byte[] encoded) throws InvalidProtocolBufferException {
        EntryRecord record = EntryRecord.parseFrom(encoded);
        Inode parent = directoryOf(directory);
        Inode inode = namespace.find(record.getInode());
        if (inode == null) {
            throw new IllegalStateException("an entry names the missing inode " + record.getInode());
        }
        if (inode.isDirectory()) {
            inode.directory().parent = parent;
        }
        parent.directory().add(new Dentry(record.getName().toByteArray(), cookie, inode));
    }

    private Inode directoryOf(long number) {
        Inode directory = lastDirectory;
        if (directory == null || directory.number != number) {
            directory = namespace.find(number);
        }
        if (directory == null || !directory.isDirectory()) {
            throw new IllegalStateException("entries belong to " + number + ", which is no directory");
        }
        lastDirectory = directory;
        return directory;
    }
}
