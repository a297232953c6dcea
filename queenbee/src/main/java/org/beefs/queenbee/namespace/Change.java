package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.function.Consumer;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;

/** One mutation while it is applied: the steps that several mutations share, each with its record. */
final class Change {
    private final Namespace namespace;
    private final long sequence;
    private final StateBatch batch;

    Change(Namespace namespace, long sequence, StateBatch batch) {
        this.namespace = namespace;
        this.sequence = sequence;
        this.batch = batch;
    }

    static void expect(boolean holds, String otherwise, Inode inode) {
        if (!holds) {
            throw new IllegalStateException(otherwise + " " + inode.number());
        }
    }

    Inode inode(long number) {
        Inode inode = namespace.find(number);
        if (inode == null) {
            throw new IllegalStateException("there is no inode " + number);
        }
        return inode;
    }

    /** Changes nothing but an inode. */
    void of(long number, Consumer<Inode> how) {
        Inode inode = inode(number);
        how.accept(inode);
        touched(inode);
    }

    Inode directory(long number) {
        Inode inode = inode(number);
        expect(inode.isDirectory(), "is no directory: inode", inode);
        return inode;
    }

    Dentry entry(Inode directory, ByteString name) {
        Dentry entry = directory.directory().find(name);
        if (entry == null) {
            throw new IllegalStateException("no such entry in directory " + directory.number + ": " + name);
        }
        return entry;
    }

    /** The inode's record is to be written, as the inode is at the end of the pass. */
    void touched(Inode inode) {
        namespace.changed(inode, sequence);
        batch.putEncoded(StateKey.inode(inode.number), () -> InodeRecords.encode(inode));
    }

    void addEntry(Inode directory, ByteString name, long cookie, Inode inode, long time) {
        Dentry entry = new Dentry(name.toByteArray(), cookie, inode);
        directory.directory().add(entry);
        namespace.links().add(inode, directory, entry);
        wrote(directory, entry);
        contentChanged(directory, time);
    }

    void removeEntry(Inode directory, Dentry entry, long time) {
        directory.directory().remove(entry);
        namespace.links().remove(entry.inode, entry);
        batch.delete(StateKey.entry(directory.number, entry.cookie));
        contentChanged(directory, time);
    }

    /** The entry's record is to be written. */
    void wrote(Inode directory, Dentry entry) {
        batch.put(StateKey.entry(directory.number, entry.cookie), entry::toRecord);
    }

    void contentChanged(Inode directory, long time) {
        directory.mtime = time;
        directory.ctime = time;
        touched(directory);
    }

    /** What is no directory has lost a name. */
    void loseLink(Inode inode, long time) {
        expect(!inode.isDirectory() && inode.links > 0, "cannot unlink inode", inode);
        inode.links--;
        inode.ctime = time;
        touched(inode);
    }

    /** An empty directory has lost its only name. */
    void loseDirectory(Inode parent, Inode directory, long time) {
        expect(directory.directory().isEmpty() && directory.number != Namespace.ROOT, "cannot remove", directory);
        directory.links = 0;
        directory.ctime = time;
        parent.links--;
        gone(directory);
    }

    /** The entry keeps its cookie and stands for another inode now. */
    void replaceTarget(Inode directory, Dentry entry, Inode by) {
        namespace.links().remove(entry.inode, entry);
        entry.inode = by;
        namespace.links().add(by, directory, entry);
        wrote(directory, entry);
    }

    void setDirty(Inode inode, boolean dirty) {
        namespace.setDirty(inode, dirty);
    }

    void gone(Inode inode) {
        namespace.forget(inode, sequence);
        batch.delete(StateKey.inode(inode.number));
    }
}
