package org.beefs.queenbee.testing;

import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.state.EntryRecord;
import org.beefs.queenbee.state.InodeRecord;

/** Damage in a queen-bee's store, seen by the one who starts next. */
public record Planted(StateStore store) {
    /** Changes the record of an inode. */
    public void inode(long number, Consumer<InodeRecord.Builder> change) {
        InodeRecord.Builder record = read(number).toBuilder();
        change.accept(record);
        put(StateKey.inode(number), record.build());
    }

    /** Removes the entry of that name. */
    public void removeEntry(long directory, String name) {
        List<StateKey> entries = new ArrayList<>();
        visit((key, record) -> {
            if (key.kind() == StateKey.Kind.ENTRY
                    && key.a() == directory
                    && EntryRecord.parseFrom(record).getName().equals(Ask.bytes(name))) {
                entries.add(key);
            }
        });
        write(batch -> entries.forEach(batch::delete));
    }

    /** Adds an entry. */
    public void addEntry(long directory, long cookie, String name, long inode) {
        put(
                StateKey.entry(directory, cookie),
                EntryRecord.newBuilder()
                        .setName(Ask.bytes(name))
                        .setInode(inode)
                        .build());
    }

    public void put(StateKey key, MessageLite record) {
        write(batch -> batch.put(key, () -> record));
    }

    private InodeRecord read(long number) {
        InodeRecord.Builder found = InodeRecord.newBuilder();
        visit((key, record) -> {
            if (key.equals(StateKey.inode(number))) {
                found.mergeFrom(record);
            }
        });
        return found.build();
    }

    private void visit(StateStore.Visitor visitor) {
        try {
            store.load(visitor);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(Consumer<StateBatch> changes) {
        StateBatch batch = new StateBatch();
        changes.accept(batch);
        try {
            store.write(batch);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
