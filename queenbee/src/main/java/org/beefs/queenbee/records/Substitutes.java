package org.beefs.queenbee.records;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.state.SubstituteRecord;

/**
 * Honeycombs that keep the record of an inode for those that are to have it, because all of these were away when it
 * changed. They do so until one of these has caught up. Written down, so that nobody keeps an old record unnoticed.
 * Belongs to the namespace thread.
 */
final class Substitutes {
    /**
     * Inodes; of more that change while all that are to have their records are away, nobody else is told. One desktop
     * may have all of them, and is to be told of all at once: fewer than {@link Feed#MAX_WAITING}.
     */
    static final int MOST = 32_768;

    private final Journal journal;
    private final Map<Long, Kept> all = new HashMap<>();

    /** Inodes that are still to be looked at, because a honeycomb has caught up. */
    private Iterator<Long> left = List.<Long>of().iterator();

    /**
     * Who keeps the record of an inode.
     *
     * @param honeycombs their numbers
     * @param dismissed whether they are to forget it
     */
    private record Kept(List<Integer> honeycombs, boolean dismissed) {}

    Substitutes(Journal journal) {
        this.journal = journal;
    }

    /** Numbers of the honeycombs that have, or may have, the record of an inode. */
    List<Integer> of(long inode) {
        Kept kept = all.get(inode);
        return kept == null ? List.of() : kept.honeycombs;
    }

    /** Numbers of the honeycombs that are to be told of the inode's changes; none when they are to forget it. */
    List<Integer> keeping(long inode) {
        return isDismissed(inode) ? List.of() : of(inode);
    }

    /** Whether those that keep the record of an inode are to forget it. */
    boolean isDismissed(long inode) {
        Kept kept = all.get(inode);
        return kept != null && kept.dismissed;
    }

    boolean isFull() {
        return all.size() >= MOST;
    }

    int size() {
        return all.size();
    }

    /** Inodes whose records a honeycomb keeps. */
    List<Long> keptBy(int honeycomb) {
        return all.entrySet().stream()
                .filter(entry -> entry.getValue().honeycombs.contains(honeycomb))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * A honeycomb, by its number, keeps the record of an inode from now on; the caller numbers this and other changes.
     */
    void add(long inode, int honeycomb) {
        List<Integer> honeycombs = new ArrayList<>(of(inode));
        if (!honeycombs.contains(honeycomb)) {
            honeycombs.add(honeycomb);
            write(inode, honeycombs);
        }
        all.put(inode, new Kept(List.copyOf(honeycombs), false));
    }

    /**
     * The honeycombs that keep the record of an inode are to forget it. Nothing is written: that is found anew after a
     * restart.
     */
    void dismiss(long inode) {
        all.computeIfPresent(inode, (_, kept) -> new Kept(kept.honeycombs, true));
    }

    /** A honeycomb has forgotten the inode, or is to keep its record for itself. */
    void remove(long inode, int honeycomb) {
        Kept kept = all.get(inode);
        if (kept == null || !kept.honeycombs.contains(honeycomb)) {
            return;
        }
        List<Integer> others =
                kept.honeycombs.stream().filter(other -> other != honeycomb).toList();
        if (others.isEmpty()) {
            end(inode);
        } else {
            all.put(inode, new Kept(others, kept.dismissed));
            write(inode, others);
        }
    }

    /** The inode is gone; its tombstone says who may have its record. */
    void end(long inode) {
        if (all.remove(inode) != null) {
            journal.batch().delete(StateKey.substitutes(inode));
        }
    }

    private void write(long inode, List<Integer> honeycombs) {
        SubstituteRecord record =
                SubstituteRecord.newBuilder().addAllHoneycombs(honeycombs).build();
        journal.batch().put(StateKey.substitutes(inode), () -> record);
    }

    /** Somebody has caught up: all are to be looked at. */
    void lookAgain() {
        left = List.copyOf(all.keySet()).iterator();
    }

    boolean hasMore() {
        return left.hasNext();
    }

    /** The next inodes that are to be looked at. */
    List<Long> next(int most) {
        List<Long> next = new ArrayList<>();
        while (next.size() < most && left.hasNext()) {
            next.add(left.next());
        }
        return next;
    }

    void load(long inode, CodedInputStream record) throws IOException {
        all.put(inode, new Kept(List.copyOf(SubstituteRecord.parseFrom(record).getHoneycombsList()), false));
    }
}
