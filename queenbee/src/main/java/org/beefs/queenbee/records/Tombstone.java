package org.beefs.queenbee.records;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.beefs.queenbee.state.TombstoneRecord;

/**
 * An inode that is gone, as long as a catalog may say otherwise. First all holders and keepers hear that it is gone,
 * and keep that; when the last has heard it, all may forget the inode. A single holder forgets it at once. Belongs to
 * the namespace thread.
 */
final class Tombstone {
    private final long inode;
    private final long sequence;

    /** Numbers of the honeycombs that may have a record of the inode. They are waited for, however long. */
    private final Set<Integer> holders;

    /** Numbers of others that keep that it is gone, because a holder was away. */
    private final Set<Integer> keepers;

    /** Holders and keepers that have not confirmed what they are to hear now. */
    private final Set<Integer> waiting;

    private boolean forgetting;

    private Tombstone(long inode, TombstoneRecord record) {
        this.inode = inode;
        sequence = record.getSequence();
        holders = new TreeSet<>(record.getHoldersList());
        keepers = new TreeSet<>(record.getKeepersList());
        forgetting = record.getForgetting();
        waiting = new TreeSet<>(holders);
        waiting.addAll(keepers);
    }

    static Tombstone of(long inode, long sequence, Collection<Integer> holders) {
        return new Tombstone(
                inode,
                TombstoneRecord.newBuilder()
                        .setSequence(sequence)
                        .addAllHolders(holders)
                        .build());
    }

    static Tombstone of(long inode, TombstoneRecord record) {
        return new Tombstone(inode, record);
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
        return forgetting || holders.size() + keepers.size() == 1;
    }

    /** Whether others have to keep it when a holder is away. */
    boolean lacksKeepers() {
        return !forgetting && keepers.isEmpty() && !holders.isEmpty();
    }

    /** These keep it as well, where they are no holders. False when that is nobody. */
    boolean spread(Collection<Integer> honeycombs) {
        keepers.addAll(honeycombs);
        keepers.removeAll(holders);
        return waiting.addAll(keepers);
    }

    /** Nobody waits any more for those of these that only keep it; answers which these are. */
    List<Integer> dismiss(Collection<Integer> honeycombs) {
        List<Integer> dismissed = keepers.stream().filter(honeycombs::contains).toList();
        dismissed.forEach(keepers::remove);
        dismissed.forEach(waiting::remove);
        return dismissed;
    }

    /** Nobody waits any more for a honeycomb, nor believes what it has; answers whether it was one of the keepers. */
    boolean leaveOut(int honeycomb) {
        holders.remove(honeycomb);
        waiting.remove(honeycomb);
        return keepers.remove(honeycomb);
    }

    /** As {@link #leaveOut(int)}, for all of these. */
    void leaveOut(IntPredicate honeycombs) {
        Stream.of(holders, keepers, waiting).forEach(some -> some.removeIf(honeycombs::test));
    }

    /**
     * A honeycomb has confirmed.
     *
     * @param forgotten whether it forgot the inode, or keeps that it is gone
     */
    void heard(int honeycomb, boolean forgotten) {
        if (forgotten) {
            holders.remove(honeycomb);
            keepers.remove(honeycomb);
        }
        if (forgotten || !forgetting) {
            waiting.remove(honeycomb);
        }
    }

    /** Whether all have forgotten the inode. */
    boolean isOver() {
        return holders.isEmpty() && keepers.isEmpty();
    }

    /** Nobody waits, and some have not forgotten the inode: they may now. */
    void beginForgetting() {
        forgetting = true;
        waiting.addAll(holders);
        waiting.addAll(keepers);
    }

    TombstoneRecord toRecord() {
        return TombstoneRecord.newBuilder()
                .setSequence(sequence)
                .addAllHolders(holders)
                .addAllKeepers(keepers)
                .setForgetting(forgetting)
                .build();
    }
}
