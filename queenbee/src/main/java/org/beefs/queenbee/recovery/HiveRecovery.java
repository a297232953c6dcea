package org.beefs.queenbee.recovery;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateBatch;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.memory.MemoryRoom;
import org.beefs.queenbee.namespace.LostAndFound;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.NamespaceWriter;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.DropRecord;
import org.beefs.queenbee.state.HiveRecord;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.state.JournalRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the state of a queen-bee from what the honeycombs' catalogs know, in an empty store. The numbers go on above
 * all that is found. Not thread-safe.
 */
public final class HiveRecovery {
    static final MemoryRoom UNBOUNDED = new MemoryRoom(Long.MAX_VALUE, () -> 0);

    /**
     * Incarnations between what is found and what is made, all of whose changes count as another queen-bee's: she may
     * have been started so often while only desktops were connected that were not asked. Another recovery meanwhile,
     * which skips as many, is not among them.
     */
    private static final int SKIPPED = 64;

    private static final Logger LOG = LoggerFactory.getLogger(HiveRecovery.class);

    private final StateStore store;
    private final Clock clock;
    private final long lastIncarnation;
    private final CollectedRecords records;
    private long highestInode;

    private HiveRecovery(StateStore store, Clock clock, long lastIncarnation, CollectedRecords records) {
        this.store = store;
        this.clock = clock;
        this.lastIncarnation = lastIncarnation;
        this.records = records;
        highestInode = Math.max(
                records.highestInode(),
                records.hive().getConflictsList().stream()
                        .mapToLong(conflict -> conflict.getConflict().getCopy())
                        .max()
                        .orElse(0));
    }

    /** As below, from whatever sources there are, into whatever memory they need. */
    public static RecoveryReport run(
            StateStore store, Clock clock, List<? extends RecordSource> sources, long lastIncarnation)
            throws IOException {
        return run(store, clock, UNBOUNDED, sources, lastIncarnation, RollCall.NONE);
    }

    /** Fails as {@link #run} would for what the records of the hive itself tell, and reads no others. */
    public static void check(Clock clock, List<? extends RecordSource> sources, RollCall rollCall) throws IOException {
        CollectedRecords begun = CollectedRecords.begin(sources, new RecoveryProgress(clock, UNBOUNDED));
        rollCall.check(begun.hive(), begun.honeycombs(), begun.unfilled());
    }

    /**
     * Makes the state; whoever has the report brings it to disk, with {@link StateStore#sync}. Fails with
     * {@link IOException} and a sentence for people when a catalog cannot be read, or one is missing that must be
     * asked, or with {@link MemoryFullException} when the memory is full; then the store holds no hive.
     *
     * @param memory of this process, which the namespace has to fit into
     * @param lastIncarnation the new one is above this one, and above all that is found; 0 when none is known
     */
    public static RecoveryReport run(
            StateStore store,
            Clock clock,
            MemoryRoom memory,
            List<? extends RecordSource> sources,
            long lastIncarnation,
            RollCall rollCall)
            throws IOException {
        RecoveryProgress progress = new RecoveryProgress(clock, memory);
        CollectedRecords records = CollectedRecords.read(sources, progress);
        rollCall.check(records.hive(), records.honeycombs(), records.unfilled());
        return new HiveRecovery(store, clock, lastIncarnation, records).run(progress);
    }

    private RecoveryReport run(RecoveryProgress progress) throws IOException {
        long found = LongStream.of(
                        records.hive().getIncarnation(),
                        Numbering.incarnationOf(records.highestSequence()),
                        Numbering.incarnationOf(highestInode))
                .max()
                .orElseThrow();
        long incarnation = Math.max(lastIncarnation, found + SKIPPED) + 1;
        Numbering numbering = new Numbering(incarnation);
        LostAndFound lostAndFound = new LostAndFound(
                () -> highestInode = numbering.after(highestInode), PackedTime.of(clock.now()), store.owner());
        Namespace namespace = records.builder().finish(lostAndFound);
        progress.checkMemory();
        if (lostAndFound.hasMadeRoot()) {
            LOG.warn(
                    "recovery: no desktop that was asked knows the root directory; it is made anew, for its owner only");
        }
        long sequence = numbering.after(records.highestSequence());
        new NamespaceWriter(store).write(namespace, sequence);
        writeHive(records.hive(), found, incarnation, sequence, namespace);
        return new RecoveryReport(
                incarnation,
                records.catalogs(),
                namespace.size(),
                records.tombstones().size() - records.unlinked(),
                records.unlinked(),
                records.unnamed(),
                records.elsewhere().count(),
                records.elsewhere().toString(),
                records.builder().conflicts(),
                lostAndFound.hasMadeRoot(),
                lostAndFound.taken(),
                AbsentFiles.find(namespace, records.hive(), records.honeycombs()),
                RollCall.unaskedNames(records.hive(), records.honeycombs()));
    }

    private void writeHive(CatalogHive hive, long found, long incarnation, long sequence, Namespace namespace)
            throws IOException {
        HiveRecord record = HiveRecord.newBuilder()
                .setFormat(QueenState.FORMAT)
                .setHive(hive.getHive())
                .setIncarnation(incarnation)
                .addLastChanges(Numbering.endOf(found))
                .setRebuilt(true)
                .build();
        JournalRecord journal = JournalRecord.newBuilder()
                .setSequence(sequence)
                .setLastInode(highestInode)
                .build();
        StateBatch batch = new StateBatch();
        records.tombstones().forEach((inode, tombstone) -> batch.put(StateKey.tombstone(inode), () -> tombstone));
        records.substitutes().forEach((inode, who) -> batch.put(StateKey.substitutes(inode), () -> who));
        for (int i = 0; i < hive.getHoneycombsCount(); i++) {
            HoneycombRecord honeycomb = hive.getHoneycombs(i).toBuilder()
                    .clearHighestTold() // it may have learnt more since
                    .clearHighestGiven()
                    .clearHighestChange()
                    .build();
            batch.put(StateKey.honeycomb(i + 1), () -> honeycomb);
        }
        records.strays().forEach(stray -> putDrop(batch, stray));
        hive.getConflictsList().stream()
                .filter(conflict -> namespace.find(conflict.getConflict().getCopy()) == null) // is not done
                .forEach(conflict -> batch.put(
                        StateKey.conflict(conflict.getHoneycomb(), conflict.getInode()), conflict::getConflict));
        batch.put(StateKey.JOURNAL, () -> journal);
        batch.put(StateKey.HIVE, () -> record);
        store.write(batch);
    }

    /**
     * Otherwise nobody would tell that catalog when the file goes, so that the next recovery would bring it back; and
     * of one that is gone the content would stay.
     */
    private static void putDrop(StateBatch batch, CollectedRecords.Stray stray) {
        DropRecord drop = DropRecord.newBuilder()
                .setGeneration(stray.generation())
                .setEpoch(stray.epoch())
                .build();
        batch.put(StateKey.drop(stray.honeycomb(), stray.file()), () -> drop);
    }
}
