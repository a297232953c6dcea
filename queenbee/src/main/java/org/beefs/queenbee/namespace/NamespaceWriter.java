package org.beefs.queenbee.namespace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;

/** Writes a whole namespace into an empty store, batch by batch. */
public final class NamespaceWriter {
    private static final int RECORDS_IN_BATCH = 10_000;

    private final StateStore store;
    private final StateBatch batch = new StateBatch();
    private int records;

    public NamespaceWriter(StateStore store) {
        this.store = store;
    }

    /**
     * Writes all inodes and entries.
     *
     * @param changed what all inodes say of their last change, so that every catalog is told of them anew
     */
    public void write(Namespace namespace, long changed) throws IOException {
        List<Inode> inodes = namespace.snapshot();
        for (Inode inode : inodes) {
            inode.changed = changed;
            batch.putEncoded(StateKey.inode(inode.number), () -> InodeRecords.encode(inode));
            wrote();
            if (inode.isDirectory()) {
                writeEntries(inode);
            }
        }
        flush();
    }

    private void writeEntries(Inode directory) throws IOException {
        List<Dentry> entries = new ArrayList<>(directory.directory().size());
        directory.directory().visit(0, entries::add);
        for (Dentry entry : entries) {
            batch.put(StateKey.entry(directory.number, entry.cookie), entry::toRecord);
            wrote();
        }
    }

    private void wrote() throws IOException {
        if (++records % RECORDS_IN_BATCH == 0) {
            flush();
        }
    }

    private void flush() throws IOException {
        if (!batch.isEmpty()) {
            store.write(batch);
            batch.clear();
        }
    }
}
