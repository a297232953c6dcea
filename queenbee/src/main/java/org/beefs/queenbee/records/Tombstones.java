package org.beefs.queenbee.records;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.namespace.InodeTable;
import org.beefs.queenbee.state.TombstoneRecord;
import org.jspecify.annotations.Nullable;

/**
 * Inodes that are gone and that not all catalogs have forgotten. Written down, so that none is lost. Belongs to the
 * namespace thread.
 */
final class Tombstones {
    private final Journal journal;
    private final IntPredicate forgotten;
    private final InodeTable<Tombstone> all = new InodeTable<>();

    /** Tombstones of which a honeycomb has to hear, by its number. */
    private final Map<Integer, InodeTable<Tombstone>> waiting = new HashMap<>();

    /** @param forgotten whether a honeycomb, by its number, is forgotten, so that nobody waits for it any more */
    Tombstones(Journal journal, IntPredicate forgotten) {
        this.journal = journal;
        this.forgotten = forgotten;
    }

    @Nullable
    Tombstone find(long inode) {
        return all.find(inode);
    }

    /** Tombstones of which a honeycomb has to hear. */
    List<Tombstone> waitingFor(int honeycomb) {
        return list(waiting.get(honeycomb));
    }

    private static List<Tombstone> list(@Nullable InodeTable<Tombstone> table) {
        List<Tombstone> all = new ArrayList<>(table == null ? 0 : table.size());
        if (table != null) {
            table.forEach(all::add);
        }
        return all;
    }

    int size() {
        return all.size();
    }

    /** As {@link InodeTable#forSome}; the visitor changes none. */
    int forSome(int from, int most, Consumer<Tombstone> visitor) {
        return all.forSome(from, most, visitor);
    }

    /** Adds a tombstone, or writes down one that has changed; the caller numbers the change. */
    void add(Tombstone tombstone) {
        put(tombstone);
        write(tombstone);
    }

    /** A honeycomb has confirmed that. Returns the numbers of those that are to hear of the inode again. */
    Collection<Integer> heard(int honeycomb, long inode, boolean forgotten) {
        Tombstone tombstone = all.find(inode);
        if (tombstone == null) {
            return List.of();
        }
        tombstone.heard(honeycomb, forgotten);
        if (!tombstone.isWaiting(honeycomb)) {
            settle(honeycomb, tombstone);
        }
        if (!tombstone.waiting().isEmpty()) {
            return List.of();
        }
        goOn(tombstone);
        return tombstone.waiting();
    }

    private void settle(int honeycomb, Tombstone tombstone) {
        InodeTable<Tombstone> left = waiting.get(honeycomb);
        if (left == null || left.find(tombstone.number()) == null) {
            return;
        }
        left.remove(tombstone.number());
        if (left.size() == 0) {
            waiting.remove(honeycomb);
        }
    }

    /** Nobody is waited for any more: the tombstone goes, or lets honeycombs forget the inode. */
    private void goOn(Tombstone tombstone) {
        tombstone.leaveOut(forgotten); // one may have heard of the end before it went away
        if (tombstone.isOver()) {
            all.remove(tombstone.number());
            journal.batch().delete(StateKey.tombstone(tombstone.number()));
        } else {
            tombstone.beginForgetting();
            add(tombstone);
        }
        journal.advance();
    }

    /** While nobody is there. */
    void spreadAll(LongFunction<List<Integer>> keepers) {
        spread(list(all), keepers);
    }

    /** Others keep what this honeycomb does not hear for now, so that it is not forgotten with the queen-bee's disk. */
    List<Tombstone> spread(int absent, LongFunction<List<Integer>> keepers) {
        return spread(waitingFor(absent), keepers);
    }

    private List<Tombstone> spread(Collection<Tombstone> some, LongFunction<List<Integer>> keepers) {
        List<Tombstone> spread = some.stream()
                .filter(Tombstone::lacksKeepers)
                .filter(tombstone -> tombstone.spread(keepers.apply(tombstone.number())))
                .toList();
        spread.forEach(this::addAgain);
        return spread;
    }

    /**
     * Nobody waits any more for lost honeycombs that only keep that some inodes are gone: others do so in their place.
     * Should one come back, it keeps what it has, which says nothing wrong. Returns those that others have to hear of.
     */
    List<Tombstone> dismiss(Set<Integer> lost, List<Tombstone> some, LongFunction<List<Integer>> keepers) {
        List<Tombstone> changed =
                some.stream().filter(tombstone -> dismiss(lost, tombstone)).toList();
        changed.forEach(this::lookAgain);
        spread(changed, keepers);
        return changed;
    }

    /** Fewer are waited for. */
    private void lookAgain(Tombstone tombstone) {
        if (tombstone.waiting().isEmpty()) {
            goOn(tombstone);
        } else {
            addAgain(tombstone);
        }
    }

    /**
     * Nobody waits for a forgotten honeycomb any more, for so many of the tombstones of which it was to hear; called
     * until there are none. Returns those that others may have to hear of.
     */
    List<Tombstone> leaveOut(int honeycomb, int most, LongFunction<List<Integer>> keepers) {
        List<Tombstone> some = someWaitingFor(honeycomb, most);
        List<Tombstone> kept = new ArrayList<>();
        for (Tombstone tombstone : some) {
            if (tombstone.leaveOut(honeycomb)) {
                kept.add(tombstone);
            }
            settle(honeycomb, tombstone);
            lookAgain(tombstone);
        }
        spread(kept, keepers);
        return some;
    }

    /** About so many at most; none only if there are none. */
    private List<Tombstone> someWaitingFor(int honeycomb, int most) {
        InodeTable<Tombstone> table = waiting.get(honeycomb);
        List<Tombstone> some = new ArrayList<>();
        int from = 0;
        do {
            from = table == null ? 0 : table.forSome(from, most, some::add);
        } while (some.isEmpty() && from != 0);
        return some;
    }

    private boolean dismiss(Set<Integer> lost, Tombstone tombstone) {
        List<Integer> dismissed = tombstone.dismiss(lost);
        dismissed.forEach(honeycomb -> settle(honeycomb, tombstone));
        return !dismissed.isEmpty();
    }

    private void addAgain(Tombstone tombstone) {
        add(tombstone);
        journal.advance();
    }

    void load(long inode, CodedInputStream record) throws IOException {
        put(Tombstone.of(inode, TombstoneRecord.parseFrom(record)));
    }

    private void put(Tombstone tombstone) {
        all.put(tombstone);
        for (Integer honeycomb : tombstone.waiting()) {
            waiting.computeIfAbsent(honeycomb, first -> new InodeTable<>()).put(tombstone);
        }
    }

    private void write(Tombstone tombstone) {
        TombstoneRecord record = tombstone.toRecord();
        journal.batch().put(StateKey.tombstone(tombstone.number()), () -> record);
    }
}
