package org.beefs.queenbee.lease;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Who holds which lease, in few bytes: there may be hundreds of thousands for each session. A holder is a
 * <em>slot</em>, a small number. A row has the leases of one kind on one inode for a group of 64 slots, one bit for
 * each; rows are found by open addressing with linear probing, 20 bytes for a row, at most three quarters full. So what
 * the desktops of an office hold on one inode takes one row.
 *
 * <p>Taking everything from a slot only marks it as dead: its bits count no longer, and go when the rows are laid out
 * anew, which happens when the dead leases are more than the living ones, or most slots are dead: each group of slots
 * has rows of its own.
 */
final class LeaseTable {
    /** Bytes of memory that a row takes at most, with what is free around it. */
    static final int ROW_BYTES = 54;

    private static final int SMALLEST = 1024;
    private static final int GROUP = 64;
    private static final int KIND_BITS = 2;

    /** Slots are freed when those that cannot be given out are more than so many for each living one, and some more. */
    private static final int MOST_TAKEN = 4;

    private long[] inodes = new long[SMALLEST];
    private int[] tags = new int[SMALLEST];
    /** Bits of those who hold it, living or dead; a row without any is free. */
    private long[] holders = new long[SMALLEST];

    private int rows;

    /** Bits of the slots that count, and of those that cannot be given out, by group. */
    private long[] living = new long[1];

    private long[] taken = new long[1];

    private int livingSlots;
    private int takenSlots;

    /** Leases of each living slot. */
    private int[] counts = new int[GROUP];

    private long size;
    private long dead;

    /** Leases that are held. */
    long size() {
        return size;
    }

    /** Rows in use, also by what is dead. */
    int rows() {
        return rows;
    }

    /** Lets go of the rows that only the dead have; the table does not grow by that. */
    void compact() {
        if (dead > 0) {
            layOut(Math.min(inodes.length, lengthFor(livingRows())));
        }
    }

    /** Leases that a slot holds. */
    int count(int slot) {
        return counts[slot];
    }

    /** A slot that holds nothing. */
    int newSlot() {
        int group = 0;
        while (group < taken.length && taken[group] == -1) {
            group++;
        }
        if (group == taken.length) {
            taken = Arrays.copyOf(taken, group + 1);
            living = Arrays.copyOf(living, group + 1);
            counts = Arrays.copyOf(counts, (group + 1) * GROUP);
        }
        int slot = group * GROUP + Long.numberOfTrailingZeros(~taken[group]);
        taken[group] |= bit(slot);
        living[group] |= bit(slot);
        takenSlots++;
        livingSlots++;
        counts[slot] = 0;
        return slot;
    }

    /** Ends a slot and whatever it holds. */
    void end(int slot) {
        int group = slot / GROUP;
        living[group] &= ~bit(slot);
        livingSlots--;
        size -= counts[slot];
        dead += counts[slot];
        if (counts[slot] == 0) {
            taken[group] &= ~bit(slot);
            takenSlots--;
        } else if (dead > Math.max(size, SMALLEST) || takenSlots > MOST_TAKEN * livingSlots + GROUP) {
            layOut();
        }
    }

    boolean holds(long inode, Lease kind, int slot) {
        return (holders[rowOf(inode, tag(kind, slot / GROUP))] & bit(slot)) != 0;
    }

    void add(long inode, Lease kind, int slot) {
        int tag = tag(kind, slot / GROUP);
        int row = rowOf(inode, tag);
        if (holders[row] == 0 && (rows + 1) * 4L > inodes.length * 3L) {
            layOut();
            row = rowOf(inode, tag);
        }
        if ((holders[row] & bit(slot)) != 0) {
            return;
        }
        if (holders[row] == 0) {
            inodes[row] = inode;
            tags[row] = tag;
            rows++;
        }
        holders[row] |= bit(slot);
        counts[slot]++;
        size++;
    }

    void remove(long inode, Lease kind, int slot) {
        int row = rowOf(inode, tag(kind, slot / GROUP));
        if ((holders[row] & bit(slot)) != 0) {
            counts[slot]--;
            size--;
            clear(row, bit(slot));
        }
    }

    /** Takes the lease from all who hold it. */
    void removeAll(long inode, Lease kind) {
        forEachHolder(inode, kind, slot -> remove(inode, kind, slot));
    }

    /** Shows the slots that hold the lease; each may be taken out of it meanwhile. */
    void forEachHolder(long inode, Lease kind, IntConsumer visitor) {
        for (int group = 0; group < living.length; group++) {
            long bits = livingHolders(inode, kind, group);
            for (; bits != 0; bits &= bits - 1) {
                visitor.accept(group * GROUP + Long.numberOfTrailingZeros(bits));
            }
        }
    }

    /** Whether any other slot than these two, which may be negative, holds the lease. */
    boolean isHeldByOthers(long inode, Lease kind, int one, int other) {
        for (int group = 0; group < living.length; group++) {
            long bits = livingHolders(inode, kind, group);
            if ((bits & ~bitIn(group, one) & ~bitIn(group, other)) != 0) {
                return true;
            }
        }
        return false;
    }

    private long livingHolders(long inode, Lease kind, int group) {
        return living[group] == 0 ? 0 : holders[rowOf(inode, tag(kind, group))] & living[group];
    }

    private static long bitIn(int group, int slot) {
        return slot >= 0 && slot / GROUP == group ? bit(slot) : 0;
    }

    private static long bit(int slot) {
        return 1L << (slot % GROUP);
    }

    private static int tag(Lease kind, int group) {
        return group << KIND_BITS | kind.code;
    }

    private static int groupOf(int tag) {
        return tag >> KIND_BITS;
    }

    /** The row of that inode and tag, or the free one where it belongs. */
    private int rowOf(long inode, int tag) {
        int mask = inodes.length - 1;
        int row = hash(inode, tag) & mask;
        while (holders[row] != 0 && (inodes[row] != inode || tags[row] != tag)) {
            row = (row + 1) & mask;
        }
        return row;
    }

    private void clear(int row, long bits) {
        holders[row] &= ~bits;
        if (holders[row] == 0) {
            rows--;
            closeGap(row);
            if (inodes.length > SMALLEST && rows * 8L < inodes.length) {
                layOut();
            }
        }
    }

    /** Moves what probed past the hole back into it, so that no search stops too early. */
    private void closeGap(int start) {
        int hole = start;
        int mask = inodes.length - 1;
        for (int row = (hole + 1) & mask; holders[row] != 0; row = (row + 1) & mask) {
            int home = hash(inodes[row], tags[row]) & mask;
            if (((row - home) & mask) >= ((row - hole) & mask)) {
                inodes[hole] = inodes[row];
                tags[hole] = tags[row];
                holders[hole] = holders[row];
                holders[row] = 0;
                hole = row;
            }
        }
    }

    /** Makes all rows anew, without what is dead, with room for as many again. */
    private void layOut() {
        layOut(lengthFor(livingRows()));
    }

    private void layOut(int length) {
        long[] oldInodes = inodes;
        int[] oldTags = tags;
        long[] oldHolders = holders;
        inodes = new long[length];
        tags = new int[length];
        holders = new long[length];
        rows = 0;
        for (int old = 0; old < oldHolders.length; old++) {
            long bits = oldHolders[old] & living[groupOf(oldTags[old])];
            if (bits != 0) {
                int row = rowOf(oldInodes[old], oldTags[old]);
                inodes[row] = oldInodes[old];
                tags[row] = oldTags[old];
                holders[row] = bits;
                rows++;
            }
        }
        freeDeadSlots();
    }

    private void freeDeadSlots() {
        int groups = living.length;
        while (groups > 1 && living[groups - 1] == 0) {
            groups--;
        }
        living = Arrays.copyOf(living, groups);
        taken = living.clone();
        counts = Arrays.copyOf(counts, groups * GROUP);
        takenSlots = livingSlots;
        dead = 0;
    }

    private int livingRows() {
        int count = 0;
        for (int row = 0; row < holders.length; row++) {
            count += (holders[row] & living[groupOf(tags[row])]) != 0 ? 1 : 0;
        }
        return count;
    }

    private static int lengthFor(int rows) {
        int length = SMALLEST;
        while (length < 2L * rows) {
            length *= 2;
        }
        return length;
    }

    private static int hash(long inode, int tag) {
        long hash = (inode * 31 + tag) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 32);
    }
}
