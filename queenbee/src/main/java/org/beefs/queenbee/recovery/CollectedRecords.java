package org.beefs.queenbee.recovery;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.beefs.common.wire.Record;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.LostAndFound;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.NamespaceBuilder;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.records.RecordPlaces;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.state.SubstituteRecord;
import org.beefs.queenbee.state.TombstoneRecord;
import org.jspecify.annotations.Nullable;

/**
 * The latest record of each inode, of those that the catalogs of some honeycombs have. Memory holds the namespace and
 * two pages of each catalog. Not thread-safe.
 */
public final class CollectedRecords {
    /** No queen-bee gives this number to an inode: it is what a {@link #tree} that is looked at has to have made. */
    static final long NOT_ISSUED = Long.MAX_VALUE;

    private final List<RecordCursor> cursors;
    private final CollectionListener listener;
    private final CatalogHive hive;
    private final NamespaceBuilder builder;
    private final Map<Long, TombstoneRecord> tombstones = new LinkedHashMap<>();
    private final List<Stray> strays = new ArrayList<>();
    private final Map<Long, SubstituteRecord> substitutes = new LinkedHashMap<>();
    private final Map<ByteString, Integer> numbers = new HashMap<>();
    private final Numbering possible;
    private long highestSequence;
    private long highestInode = Namespace.ROOT;
    private int unlinked;
    private int unnamed;
    private final Named elsewhere = new Named();

    /**
     * A file that is gone, or has no replica in a honeycomb whose catalog has a record of it: what is left of it there
     * is to go.
     *
     * @param honeycomb its number
     * @param epoch up to which its replica goes; 0 for any
     */
    record Stray(int honeycomb, long file, int generation, long epoch) {}

    private CollectedRecords(List<RecordCursor> cursors, CollectionListener listener, CatalogHive hive) {
        this.cursors = cursors;
        this.listener = listener;
        this.hive = hive;
        builder = new NamespaceBuilder(hive.getHoneycombsCount(), forBlanks());
        possible = new Numbering(Math.max(1, hive.getIncarnation()));
        for (int i = 0; i < hive.getHoneycombsCount(); i++) {
            numbers.put(hive.getHoneycombs(i).getUuid(), i + 1);
        }
    }

    /** The number of a honeycomb that is there, and is not to be emptied if possible; 0 if there is none. */
    private int forBlanks() {
        Set<ByteString> there = honeycombs();
        return IntStream.rangeClosed(1, hive.getHoneycombsCount())
                .filter(number -> there.contains(hive.getHoneycombs(number - 1).getUuid()))
                .boxed()
                .min(Comparator.comparing(
                        number -> hive.getHoneycombs(number - 1).getRetired() != 0))
                .orElse(0);
    }

    /** Reads all of them. Fails with {@link IOException} and a sentence for people when one cannot be read. */
    public static CollectedRecords read(List<? extends RecordSource> sources, CollectionListener listener)
            throws IOException {
        CollectedRecords collected = begin(sources, listener);
        collected.leaveOutImpossible();
        collected.collect(new RecordMerge(collected.cursors));
        return collected;
    }

    /** As above, but reads the record of the hive only. */
    static CollectedRecords begin(List<? extends RecordSource> sources, CollectionListener listener)
            throws IOException {
        List<RecordCursor> cursors = new ArrayList<>();
        for (RecordSource source : sources) {
            cursors.add(new RecordCursor(source));
        }
        checkSameHive(cursors);
        RecordMerge first = new RecordMerge(cursors);
        CatalogHive hive = hive(first.next(), first);
        leaveOutForgotten(cursors, hive, listener);
        return new CollectedRecords(cursors, listener, hive);
    }

    /** Nobody has waited for these to hear what has gone since. */
    private static void leaveOutForgotten(List<RecordCursor> cursors, CatalogHive hive, CollectionListener listener) {
        Set<ByteString> forgotten = hive.getHoneycombsList().stream()
                .filter(honeycomb -> honeycomb.getForgotten() != 0)
                .map(HoneycombRecord::getUuid)
                .collect(Collectors.toSet());
        cursors.stream()
                .filter(cursor -> forgotten.contains(cursor.honeycomb()))
                .forEach(cursor -> listener.forgotten(cursor.name()));
        cursors.removeIf(cursor -> forgotten.contains(cursor.honeycomb()));
    }

    /** The tree that a recovery would make of them, to look at. Called once, and not if {@link #builder} is used. */
    public Namespace tree(Instant now) {
        StateStore.Owner anybody = new StateStore.Owner(0, 0);
        return builder.finish(new LostAndFound(() -> NOT_ISSUED, PackedTime.of(now), anybody));
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

    /** Leaves out what no queen-bee can have written: all that comes later would have to be numbered above it. */
    private void leaveOutImpossible() throws IOException {
        for (RecordCursor cursor : cursors) {
            cursor.leaveOut(
                    record -> possible.isBeyond(record.getInode()) || possible.isBeyond(record.getSequence()),
                    record -> listener.leftOut(record.getInode(), cursor.name()));
        }
    }

    private static CatalogHive hive(@Nullable Record first, RecordMerge merge) throws IOException {
        if (first == null || first.getInode() != 0) {
            throw new StateException("none of these honeycombs has the record of the hive itself");
        }
        CatalogHive hive = CatalogHive.parseFrom(first.getContent());
        if (hive.getFormat() > QueenState.FORMAT) {
            throw new StateException(
                    "the honeycombs' records have format %d, and this program knows formats up to %d: install the newer BeeFS"
                            .formatted(hive.getFormat(), QueenState.FORMAT));
        }
        if (Numbering.isIncredible(hive.getIncarnation())) {
            throw new StateException("%s has a record of the hive that no queen-bee can have written; leave it out"
                    .formatted(merge.source()));
        }
        return hive;
    }

    private void collect(RecordMerge merge) throws IOException {
        long all = cursors.stream().mapToLong(RecordCursor::all).sum();
        cursors.stream()
                .mapToLong(cursor -> cursor.state().getComplete())
                .filter(sequence -> !possible.isBeyond(sequence))
                .forEach(this::see);
        for (Record record = merge.next(); record != null; record = merge.next()) {
            see(record.getSequence());
            highestInode = Math.max(highestInode, record.getInode());
            take(record, merge);
            listener.reached(merge.taken(), all);
        }
    }

    private void see(long sequence) {
        highestSequence = Math.max(highestSequence, sequence);
    }

    private void take(Record record, RecordMerge merge) throws IOException {
        try {
            if (record.getRemoved()) {
                bury(record.getInode(), TombstoneRecord.parseFrom(record.getContent()), merge);
                return;
            }
            NamespaceBuilder.Added added = builder.add(record.getInode(), record.getSequence(), record.getContent());
            if (added.replicas() != NamespaceBuilder.Known.ALL) {
                listener.inUnknownHoneycomb(
                        record.getInode(),
                        added.name(),
                        merge.source(),
                        added.replicas() == NamespaceBuilder.Known.SOME);
            }
            if (added.replicas() == NamespaceBuilder.Known.NONE) {
                elsewhere.add("\"%s\" (inode %x)".formatted(added.name(), record.getInode()));
                return;
            }
            if (!added.hasName() && added.inode().linkable()) {
                unnamed++; // it may have got a name since, and is kept where it is
            } else if (!added.hasName()) {
                unlinked++;
                bury(added.inode(), record, merge);
            } else if (added.inode().isRegular() && added.inode().honeycomb() != 0) {
                addStrays(added.inode(), merge);
            } else {
                addSubstitutes(
                        added.inode(), holders(merge.holders()).filter(number -> !isChosen(added.inode(), number)));
            }
        } catch (InvalidProtocolBufferException e) {
            listener.damaged(record.getInode(), merge.source(), e);
        }
    }

    /**
     * Whoever has a record of a file, and no replica, is to forget that; but not if nobody knows as much of it who has
     * one.
     */
    private void addStrays(Inode file, RecordMerge merge) {
        Set<Integer> latest = holders(merge.latestHolders()).collect(Collectors.toSet());
        boolean isKnownWhereItIs = latest.stream().anyMatch(file::isIn);
        Map<Boolean, List<Integer>> others = holders(merge.holders())
                .filter(number -> !file.isIn(number))
                .collect(Collectors.partitioningBy(number -> !isKnownWhereItIs && latest.contains(number)));
        addSubstitutes(file, others.getOrDefault(true, List.of()).stream());
        others.getOrDefault(false, List.of())
                .forEach(number -> strays.add(new Stray(number, file.number(), file.generation(), file.epoch())));
    }

    private boolean isChosen(Inode inode, int honeycomb) {
        return RecordPlaces.isChosen(
                inode.number(),
                honeycomb,
                number -> hive.getHoneycombs(number - 1).getRetired() != 0);
    }

    private void addSubstitutes(Inode inode, Stream<Integer> honeycombs) {
        SubstituteRecord record = SubstituteRecord.newBuilder()
                .addAllHoneycombs(honeycombs.toList())
                .build();
        if (record.getHoneycombsCount() > 0) {
            substitutes.put(inode.number(), record);
        }
    }

    /** Nobody had it open any more when the queen-bee was lost: also those with an older record are to hear that. */
    private void bury(Inode unlinked, Record record, RecordMerge merge) {
        Set<Integer> mayKnow = unlinked.replicas().boxed().collect(Collectors.toCollection(TreeSet::new));
        holders(merge.holders()).forEach(mayKnow::add);
        bury(
                unlinked.number(),
                TombstoneRecord.newBuilder()
                        .setSequence(record.getSequence())
                        .addAllHolders(mayKnow)
                        .build(),
                merge);
    }

    /**
     * Whoever may have a record of what is gone may have its content as well, and would keep that: after a recovery its
     * number does not count as issued. Who knows already that it is gone, and is no holder, has none.
     */
    private void bury(long inode, TombstoneRecord told, RecordMerge merge) {
        TombstoneRecord tombstone = told.toBuilder()
                .clearHolders()
                .addAllHolders(known(told.getHoldersList()))
                .clearKeepers()
                .addAllKeepers(known(told.getKeepersList()))
                .build();
        tombstones.put(inode, tombstone);
        Set<Integer> knowing = holders(merge.latestHolders()).collect(Collectors.toSet());
        Stream.concat(
                        tombstone.getHoldersList().stream(),
                        holders(merge.holders()).filter(number -> !knowing.contains(number)))
                .distinct()
                .forEach(number -> strays.add(new Stray(number, inode, 0, 0)));
    }

    /** Those of these numbers that honeycombs of the hive have. */
    private List<Integer> known(Collection<Integer> honeycombs) {
        return honeycombs.stream()
                .filter(number -> number >= 1 && number <= hive.getHoneycombsCount())
                .toList();
    }

    /** Their numbers. */
    private Stream<Integer> holders(List<ByteString> honeycombs) {
        return honeycombs.stream().map(numbers::get).filter(Objects::nonNull);
    }

    CatalogHive hive() {
        return hive;
    }

    NamespaceBuilder builder() {
        return builder;
    }

    /**
     * Tombstones of inodes that some catalog knows to be gone. Others may still have older records of them, on desktops
     * that are away.
     */
    Map<Long, TombstoneRecord> tombstones() {
        return tombstones;
    }

    /** How many of the {@link #tombstones} are of files that no catalog knew to be gone: somebody had them open. */
    int unlinked() {
        return unlinked;
    }

    /** How many files were made without a name, and may have got one since: their content is kept. */
    int unnamed() {
        return unnamed;
    }

    /** Files that were left out because what they are is only in honeycombs that the hive does not have. */
    Named elsewhere() {
        return elsewhere;
    }

    /** Files that honeycombs have yet to remove and forget. */
    List<Stray> strays() {
        return strays;
    }

    /** Honeycombs that have the record of an inode in the place of others, by inode. */
    Map<Long, SubstituteRecord> substitutes() {
        return substitutes;
    }

    long highestSequence() {
        return highestSequence;
    }

    long highestInode() {
        return highestInode;
    }

    List<String> catalogs() {
        return cursors.stream().map(RecordCursor::name).toList();
    }

    /** UUIDs of the honeycombs. */
    Set<ByteString> honeycombs() {
        return cursors.stream().map(RecordCursor::honeycomb).collect(Collectors.toSet());
    }

    /** UUIDs of those of them that do not say that they were ever told all that they are to have. */
    Set<ByteString> unfilled() {
        return cursors.stream()
                .filter(cursor -> cursor.state().getComplete() == 0)
                .map(RecordCursor::honeycomb)
                .collect(Collectors.toSet());
    }
}
