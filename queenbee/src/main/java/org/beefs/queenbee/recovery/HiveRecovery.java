package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Record;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.namespace.LostAndFound;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.NamespaceBuilder;
import org.beefs.queenbee.namespace.NamespaceWriter;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.HiveRecord;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.state.JournalRecord;
import org.beefs.queenbee.state.TombstoneRecord;
import org.jspecify.annotations.Nullable;

/**
 * Makes the state of a queen-bee from what the honeycombs' catalogs know, in an empty store. Of each inode the latest record counts.
 * The numbers go on above all that is found. Memory holds the namespace and two pages of each catalog. Not thread-safe.
 */
public final class HiveRecovery {
    private final StateStore store;
    private final Clock clock;
    private final long lastIncarnation;
    private final NamespaceBuilder builder = new NamespaceBuilder();
    private final StateBatch batch = new StateBatch();
    private long highestSequence;
    private long highestInode = Namespace.ROOT;
    private long removed;

    private HiveRecovery(StateStore store, Clock clock, long lastIncarnation) {
        this.store = store;
        this.clock = clock;
        this.lastIncarnation = lastIncarnation;
    }

    public static RecoveryReport run(StateStore store, Clock clock, List<? extends RecordSource> sources)
            throws IOException {
        return run(store, clock, sources, 0);
    }

    /**
     * Fails with {@link IOException} and a sentence for people when a catalog cannot be read; then the store holds no hive.
     *
     * @param lastIncarnation the new one is above this one, and above all that is found
     */
    public static RecoveryReport run(
            StateStore store, Clock clock, List<? extends RecordSource> sources, long lastIncarnation)
            throws IOException {
        List<RecordCursor> cursors = new ArrayList<>();
        for (RecordSource source : sources) {
            cursors.add(new RecordCursor(source));
        }
        return new HiveRecovery(store, clock, lastIncarnation).run(cursors);
    }

    private RecoveryReport run(List<RecordCursor> cursors) throws IOException {
        checkSameHive(cursors);
        RecordMerge merge = new RecordMerge(cursors);
        CatalogHive hive = hive(merge.next());
        cursors.forEach(cursor -> see(cursor.state().getComplete()));
        collect(
                merge,
                new RecoveryProgress(
                        clock, cursors.stream().mapToLong(RecordCursor::all).sum()));
        long incarnation = LongStream.of(
                                lastIncarnation,
                                hive.getIncarnation(),
                                Numbering.incarnationOf(highestSequence),
                                Numbering.incarnationOf(highestInode))
                        .max()
                        .orElseThrow()
                + 1;
        Numbering numbering = new Numbering(incarnation);
        LostAndFound lostAndFound =
                new LostAndFound(() -> highestInode = numbering.after(highestInode), PackedTime.of(clock.now()));
        Namespace namespace = builder.finish(lostAndFound);
        long sequence = numbering.after(highestSequence);
        new NamespaceWriter(store).write(namespace, sequence);
        writeHive(hive, incarnation, sequence);
        store.sync();
        return new RecoveryReport(
                incarnation,
                cursors.stream().map(RecordCursor::name).toList(),
                namespace.size(),
                removed,
                builder.unlinked(),
                builder.conflicts(),
                lostAndFound.taken(),
                AbsentFiles.find(namespace, hive, asked(cursors)));
    }

    private static void checkSameHive(List<RecordCursor> cursors) throws IOException {
        ByteString known = ByteString.EMPTY;
        for (RecordCursor cursor : cursors) {
            ByteString its = cursor.state().getHive();
            if (!known.isEmpty() && !its.isEmpty() && !its.equals(known)) {
                throw new StateException(
                        "%s has the records of another hive than the others; leave it out".formatted(cursor.name()));
            }
            known = its.isEmpty() ? known : its;
        }
        if (known.isEmpty()) {
            throw new StateException("none of these honeycombs has records of a hive");
        }
    }

    private static CatalogHive hive(@Nullable Record first) throws IOException {
        if (first == null || first.getInode() != 0) {
            throw new StateException("none of these honeycombs has the record of the hive itself");
        }
        CatalogHive hive = CatalogHive.parseFrom(first.getContent());
        if (hive.getFormat() > QueenState.FORMAT) {
            throw new StateException(
                    "the honeycombs' records have format %d, and this program knows formats up to %d: install the newer BeeFS"
                            .formatted(hive.getFormat(), QueenState.FORMAT));
        }
        return hive;
    }

    private void collect(RecordMerge merge, RecoveryProgress progress) throws IOException {
        for (Record record = merge.next(); record != null; record = merge.next()) {
            see(record.getSequence());
            highestInode = Math.max(highestInode, record.getInode());
            if (record.getRemoved()) {
                bury(record);
            } else {
                add(record);
            }
            progress.reached(merge.taken());
        }
    }

    private void see(long sequence) {
        highestSequence = Math.max(highestSequence, sequence);
    }

    private void add(Record record) throws IOException {
        try {
            builder.add(record.getInode(), record.getSequence(), record.getContent());
        } catch (InvalidProtocolBufferException e) {
            throw new StateException(
                    "the record of inode %x is damaged: %s".formatted(record.getInode(), e.getMessage()), e);
        }
    }

    /** Others may still have an older record of it, on a desktop that is away. */
    private void bury(Record record) throws IOException {
        removed++;
        TombstoneRecord tombstone = TombstoneRecord.parseFrom(record.getContent());
        batch.put(StateKey.tombstone(record.getInode()), () -> tombstone);
    }

    private void writeHive(CatalogHive hive, long incarnation, long sequence) throws IOException {
        HiveRecord record = HiveRecord.newBuilder()
                .setFormat(QueenState.FORMAT)
                .setHive(hive.getHive())
                .setIncarnation(incarnation)
                .build();
        JournalRecord journal = JournalRecord.newBuilder()
                .setSequence(sequence)
                .setLastInode(highestInode)
                .build();
        for (int i = 0; i < hive.getHoneycombsCount(); i++) {
            HoneycombRecord honeycomb = hive.getHoneycombs(i);
            batch.put(StateKey.honeycomb(i + 1), () -> honeycomb);
        }
        batch.put(StateKey.JOURNAL, () -> journal);
        batch.put(StateKey.HIVE, () -> record);
        store.write(batch);
    }

    private static Set<ByteString> asked(List<RecordCursor> cursors) {
        return cursors.stream().map(RecordCursor::honeycomb).collect(Collectors.toSet());
    }
}
