package org.beefs.queenbee.records;

import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.beefs.queenbee.namespace.InodeTable;
import org.beefs.queenbee.state.TombstoneRecord;

/**
 * An inode that is gone, as long as a catalog may say otherwise. First all holders and keepers hear that it is gone,
 * and keep that; when the last has heard it, all may forget the inode. A single holder forgets it at once.
 *
 * <p>Holders are the honeycombs that may have a record of the inode; they are waited for, however long. Keepers are
 * others that keep that it is gone, because a holder was away. There may be millions of tombstones, so all of these are
 * in one array. Belongs to the namespace thread.
 */
final class Tombstone implements InodeTable.Numbered {
    private static final int ROLE_BITS = 2;

    /** One of the holders, or else of the keepers. */
    private static final int HOLDS = 1;

    /** It has not confirmed what it is to hear now. */
    private static final int WAITS = 2;

    private final long inode;
    private final long sequence;

    /** Numbers of the holders, and then of the keepers, each with its roles. */
    private int[] parties;

    private boolean forgetting;

    private Tombstone(long inode, TombstoneRecord record) {
        this.inode = inode;
        sequence = record.getSequence();
        parties = new int[0];
        add(record.getHoldersList(), HOLDS | WAITS);
        add(record.getKeepersList(), WAITS);
        forgetting = record.getForgetting();
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

    @Override
    public long number() {
        return inode;
    }

    /** Numbers of holders and keepers that have not confirmed what they are to hear now. */
    List<Integer> waiting() {
        return numbers(Tombstone::waits);
    }

    boolean isWaiting(int honeycomb) {
        return IntStream.of(parties).anyMatch(party -> number(party) == honeycomb && waits(party));
    }

    /** Whether a catalog need not even keep that the inode is gone. */
    boolean mayBeForgotten() {
        return forgetting || parties.length == 1;
    }

    /** Whether others have to keep it when a holder is away. */
    boolean lacksKeepers() {
        return !forgetting && parties.length > 0 && IntStream.of(parties).allMatch(Tombstone::holds);
    }

    /** Makes these honeycombs keepers, unless they are holders or keepers already. False when that adds none. */
    boolean spread(Collection<Integer> honeycombs) {
        int before = parties.length;
        add(honeycombs, WAITS);
        return parties.length > before;
    }

    /** Removes those of the given honeycombs that are only keepers, so that nobody waits for them; returns them. */
    List<Integer> dismiss(Collection<Integer> honeycombs) {
        IntPredicate dismissed = party -> !holds(party) && honeycombs.contains(number(party));
        List<Integer> numbers = numbers(dismissed);
        retain(dismissed.negate());
        return numbers;
    }

    /** Removes a honeycomb: nobody waits for it any more, nor believes what it has. Returns whether it was a keeper. */
    boolean leaveOut(int honeycomb) {
        boolean kept = IntStream.of(parties).anyMatch(party -> number(party) == honeycomb && !holds(party));
        retain(party -> number(party) != honeycomb);
        return kept;
    }

    /** As {@link #leaveOut(int)}, for all of these. */
    void leaveOut(IntPredicate honeycombs) {
        retain(party -> !honeycombs.test(number(party)));
    }

    /**
     * A honeycomb has confirmed.
     *
     * @param forgotten whether it forgot the inode, or keeps that it is gone
     */
    void heard(int honeycomb, boolean forgotten) {
        if (forgotten) {
            retain(party -> number(party) != honeycomb);
        } else if (!forgetting) {
            for (int i = 0; i < parties.length; i++) {
                if (number(parties[i]) == honeycomb) {
                    parties[i] &= ~WAITS;
                }
            }
        }
    }

    /** Whether all have forgotten the inode. */
    boolean isOver() {
        return parties.length == 0;
    }

    /** All have confirmed that the inode is gone, and some have not forgotten it: they may now. */
    void beginForgetting() {
        forgetting = true;
        for (int i = 0; i < parties.length; i++) {
            parties[i] |= WAITS;
        }
    }

    TombstoneRecord toRecord() {
        return TombstoneRecord.newBuilder()
                .setSequence(sequence)
                .addAllHolders(numbers(Tombstone::holds))
                .addAllKeepers(numbers(party -> !holds(party)))
                .setForgetting(forgetting)
                .build();
    }

    /** Adds those of these honeycombs that are not among the parties yet. */
    private void add(Collection<Integer> honeycombs, int roles) {
        IntStream added = honeycombs.stream()
                .distinct()
                .filter(honeycomb -> IntStream.of(parties).noneMatch(party -> number(party) == honeycomb))
                .mapToInt(honeycomb -> honeycomb << ROLE_BITS | roles);
        parties = IntStream.concat(IntStream.of(parties), added).toArray();
    }

    private void retain(IntPredicate which) {
        parties = IntStream.of(parties).filter(which).toArray();
    }

    private List<Integer> numbers(IntPredicate which) {
        return IntStream.of(parties)
                .filter(which)
                .map(Tombstone::number)
                .boxed()
                .toList();
    }

    private static int number(int party) {
        return party >> ROLE_BITS;
    }

    private static boolean holds(int party) {
        return (party & HOLDS) != 0;
    }

    private static boolean waits(int party) {
        return (party & WAITS) != 0;
    }
}
