package org.beefs.queenbee.records;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.queenbee.state.TombstoneRecord;

/**
 * An inode that is gone, as long as a catalog may say otherwise. First all holders hear that it is gone, and keep that;
 * when the last has heard it, all may forget the inode. A single holder forgets it at once. Belongs to the namespace
 * thread.
 */
final class Tombstone {
    private final long inode;
    private final long sequence;

    /** Numbers of the honeycombs that may have a record of the inode or of its end. */
    private final Set<Integer> holders;

    /** Those that have not confirmed what they are to hear now. */
    private final Set<Integer> waiting;

    private boolean forgetting;

    private Tombstone(long inode, long sequence, Collection<Integer> holders, boolean forgetting) {
        this.inode = inode;
        this.sequence = sequence;
        this.holders = new TreeSet<>(holders);
        this.waiting = new TreeSet<>(holders);
        this.forgetting = forgetting;
    }

    static Tombstone of(long inode, long sequence, Collection<Integer> holders) {
        return new Tombstone(inode, sequence, holders, false);
    }

    static Tombstone of(long inode, TombstoneRecord record) {
        return new Tombstone(inode, record.getSequence(), record.getHoldersList(), record.getForgetting());
    }

    long inode() {
        return inode;
    }

    Set<Integer> waiting() {
        return waiting;
    }

    boolean isWaiting(int honeycomb) {
        return waiting.contains(honeycomb);
    }

    /** Whether a catalog need not even keep that the inode is gone. */
    boolean mayBeForgotten() {
        return forgetting || holders.size() == 1;
    }

    /** These keep it as well, because a holder is away. False when they do already. */
    boolean spread(Collection<Integer> keepers) {
        boolean more = !forgetting && holders.addAll(keepers);
        if (more) {
            waiting.addAll(keepers);
        }
        return more;
    }

    /**
     * A honeycomb has confirmed.
     *
     * @param forgotten whether it forgot the inode, or keeps that it is gone
     */
    void heard(int honeycomb, boolean forgotten) {
        if (forgotten || !forgetting) {
            waiting.remove(honeycomb);
        }
    }

    /** Nobody waits: goes on to the second round. False when that was the last. */
    boolean beginForgetting() {
        if (mayBeForgotten()) {
            return false;
        }
        forgetting = true;
        waiting.addAll(holders);
        return true;
    }

    TombstoneRecord toRecord() {
        return TombstoneRecord.newBuilder()
                .setSequence(sequence)
                .addAllHolders(holders)
                .setForgetting(forgetting)
                .build();
    }
}
