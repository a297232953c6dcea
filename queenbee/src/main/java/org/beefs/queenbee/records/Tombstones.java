package org.beefs.queenbee.records;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.state.TombstoneRecord;
import org.jspecify.annotations.Nullable;

/**
 * Inodes that are gone and that not all catalogs have forgotten. Written down, so that none is lost. Belongs to the
 * namespace thread.
 */
final class Tombstones {
    private final Journal journal;
    private final Map<Long, Tombstone> all = new LinkedHashMap<>();

    Tombstones(Journal journal) {
        this.journal = journal;
    }

    @Nullable
    Tombstone find(long inode) {
        return all.get(inode);
    }

    /** Those that a honeycomb has to hear of. */
    List<Tombstone> waitingFor(int honeycomb) {
        return all.values().stream()
                .filter(tombstone -> tombstone.isWaiting(honeycomb))
                .toList();
    }

    int size() {
        return all.size();
    }

    /** Within the change that ends the inode. */
    void add(Tombstone tombstone) {
        all.put(tombstone.inode(), tombstone);
        write(tombstone);
    }

    /** A honeycomb has confirmed that. Returns the numbers of those that are to hear of the inode again. */
    Collection<Integer> heard(int honeycomb, long inode, boolean forgotten) {
        Tombstone tombstone = all.get(inode);
        if (tombstone == null) {
            return List.of();
        }
        tombstone.heard(honeycomb, forgotten);
        if (!tombstone.waiting().isEmpty()) {
            return List.of();
        }
        boolean goesOn = tombstone.beginForgetting();
        if (goesOn) {
            write(tombstone);
        } else {
            all.remove(inode);
            journal.batch().delete(StateKey.tombstone(inode));
        }
        journal.advance();
        return goesOn ? List.copyOf(tombstone.waiting()) : List.of();
    }

    /** Others keep what this honeycomb does not hear for now, so that it is not forgotten with the queen-bee's disk. */
    List<Tombstone> spread(int absent, LongFunction<List<Integer>> keepers) {
        List<Tombstone> spread = new ArrayList<>();
        for (Tombstone tombstone : waitingFor(absent)) {
            if (tombstone.spread(keepers.apply(tombstone.inode()))) {
                write(tombstone);
                journal.advance();
                spread.add(tombstone);
            }
        }
        return spread;
    }

    void load(long inode, CodedInputStream record) throws IOException {
        all.put(inode, Tombstone.of(inode, TombstoneRecord.parseFrom(record)));
    }

    private void write(Tombstone tombstone) {
        TombstoneRecord record = tombstone.toRecord();
        journal.batch().put(StateKey.tombstone(tombstone.inode()), () -> record);
    }
}
