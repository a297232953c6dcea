package org.beefs.queenbee.journal;

import java.util.Collections;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How the queen-bee numbers inodes, sessions, versions, epochs and changes: one higher than the last, and above
 * everything that an earlier start could have numbered. So a number that was lost with an unsynced tail is never issued
 * again.
 *
 * <p>It also knows which inode numbers this hive has issued so far. Others may exist: those of a lost tail, and those
 * that were issued after the copy of the state was made on which this queen-bee runs. Belongs to the namespace thread.
 */
public final class Numbering {
    /** Bits below the incarnation: enough for a million numbers a second during twelve days. */
    private static final int COUNTER_BITS = 40;

    private static final long MAX_INCARNATION = (1L << (63 - COUNTER_BITS)) - 1;

    /**
     * Marks the inode numbers that desktops are given, so that they are known from those that the queen-bee uses
     * herself.
     */
    private static final long GIVEN = 1L << (COUNTER_BITS - 1);

    /**
     * How many incarnations are skipped at most between two starts: more than an old copy of the state is behind, and
     * so few that nobody uses all of them up by claiming to have later and later numbers.
     */
    private static final int MAX_JUMP = 1 << 12;

    /** Of each earlier incarnation that issued inode numbers, the last. */
    private final NavigableSet<Long> lastInodes = new TreeSet<>();

    /**
     * Of each earlier incarnation that made changes, the last; nothing is known of those before the first. That is
     * {@link #endOf} its incarnation, and was never made, after a recovery.
     */
    private final NavigableSet<Long> lastChanges = new TreeSet<>();

    /** The incarnation of this start. */
    private final long started;

    private long incarnation;

    /** The number after the last one that a desktop was given in this incarnation; 0 before the first. */
    private long nextGiven;

    public Numbering(long incarnation) {
        started = incarnation;
        begin(incarnation);
    }

    private void begin(long number) {
        if (number < 1 || number > MAX_INCARNATION) {
            throw new IllegalArgumentException("incarnation " + number + " is out of range");
        }
        incarnation = number;
        nextGiven = 0;
    }

    public long incarnation() {
        return incarnation;
    }

    /** The lowest number of this incarnation. */
    public long base() {
        return incarnation << COUNTER_BITS;
    }

    /** The number that follows the given one. */
    public long after(long last) {
        long next = Math.max(last + 1, base());
        if (next - base() >= 1L << COUNTER_BITS) {
            throw new IllegalStateException("the numbers of this incarnation are used up; a restart makes new ones");
        }
        return next;
    }

    /**
     * Whether so many inode numbers for desktops are left in this incarnation.
     *
     * @param count at least 1: with less, numbers would be given again
     */
    public boolean canGive(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(count + " numbers cannot be given");
        }
        return firstToGive() + count <= base() + (1L << COUNTER_BITS);
    }

    /** Gives inode numbers to a desktop: so many, at least 1, from the one that is answered on. */
    public long give(int count) {
        if (!canGive(count)) {
            throw new IllegalStateException("the numbers that this incarnation has for desktops are used up");
        }
        long first = firstToGive();
        nextGiven = first + count;
        return first;
    }

    private long firstToGive() {
        return Math.max(nextGiven, base() | GIVEN);
    }

    /**
     * Goes on in the next incarnation, as after a restart.
     *
     * @param inode the last number that was issued and not given to a desktop
     * @param change the last one that was made
     */
    public void beginNext(long inode, long change) {
        if (incarnationOf(inode) == incarnation) {
            addLastInode(inode);
        }
        addLastChange(change);
        begin(incarnation + 1);
    }

    /** No desktop has been given a higher inode number so far. */
    public long lastGiven() {
        return Math.max(nextGiven, base()) - 1;
    }

    /** Whether an inode number was given to a desktop. */
    public static boolean isGiven(long inode) {
        return (inode & GIVEN) != 0;
    }

    /** While loading: an earlier incarnation ended after issuing this inode number. */
    public void addLastInode(long inode) {
        lastInodes.add(inode);
    }

    /** Of each earlier incarnation that issued inode numbers, the last. */
    public SortedSet<Long> lastInodes() {
        return Collections.unmodifiableSortedSet(lastInodes);
    }

    /**
     * Whether this hive has certainly issued an inode number. Of those that desktops were given she knows only the ones
     * that have been made.
     *
     * @param highest the highest one that it has issued itself
     */
    public boolean hasIssued(long inode, long highest) {
        if (isGiven(inode)) {
            return false;
        }
        if (inode >= base()) {
            return inode <= highest;
        }
        Long last = lastInodes.ceiling(inode);
        return last != null && incarnationOf(last) == incarnationOf(inode);
    }

    /**
     * An earlier incarnation, or this one before it goes on above others' numbers, ended with this change; 0 is none.
     * After a recovery, which does not know it, it is the end of the last one that was found.
     */
    public void addLastChange(long change) {
        if (change != 0) {
            lastChanges.add(change);
        }
    }

    /** Of each earlier incarnation that made changes, the last; the first may be an end that a recovery has set. */
    public SortedSet<Long> lastChanges() {
        return Collections.unmodifiableSortedSet(lastChanges);
    }

    /**
     * Whether a change was made in this state, as far as is known, and not by a queen-bee that ran on a later one.
     *
     * @param last the last one that it has
     */
    public boolean hasMade(long change, long last) {
        if (change >= base()) {
            return change <= last;
        }
        if (lastChanges.isEmpty() || incarnationOf(change) < incarnationOf(lastChanges.first())) {
            return true;
        }
        Long end = lastChanges.ceiling(change);
        return end != null && incarnationOf(end) == incarnationOf(change);
    }

    /**
     * As {@link #hasMade}, but only where this is known for certain: nothing is known of incarnations from before the
     * ends of such were kept, and of those that a recovery has found only that there were some.
     */
    public boolean hasCertainlyMade(long change, long last) {
        if (change >= base()) {
            return change <= last;
        }
        Long end = lastChanges.ceiling(change);
        long changesIncarnation = incarnationOf(change);
        return end != null && incarnationOf(end) == changesIncarnation && end != endOf(changesIncarnation);
    }

    /**
     * Whether an inode number may have been issued or given to a desktop, by this queen-bee or an earlier one, also if
     * that was lost.
     *
     * @param highest the highest one that it has issued itself
     */
    public boolean mayHaveIssued(long inode, long highest) {
        long last = isGiven(inode) ? lastGiven() : Math.max(highest, base() - 1);
        return Long.compareUnsigned(inode, last) <= 0;
    }

    /** Whether a file may have been made with this epoch, also by an earlier queen-bee. */
    public boolean mayHaveBegun(long epoch) {
        return Long.compareUnsigned(epoch, base()) <= 0;
    }

    /** Whether an incarnation, though there could be one, is later than starts alone can have come to. */
    public static boolean isIncredible(long incarnation) {
        return incarnation < 0 || incarnation > MAX_INCARNATION / 2;
    }

    /** Whether an inode number is so high that no queen-bee of this hive can have issued it. */
    public boolean isBeyond(long inode) {
        return incarnationOf(inode) > Math.max(incarnation, Math.min(started + MAX_JUMP, MAX_INCARNATION - 1));
    }

    /**
     * Goes on above a number, of an inode, a change or an epoch, that somebody issued in this incarnation or a later
     * one. What this queen-bee has issued in it counts as not issued from now on, because the same numbers may have
     * another meaning elsewhere.
     */
    public void raiseAbove(long number) {
        begin(Math.max(incarnation, incarnationOf(number)) + 1);
    }

    /** The highest number of an incarnation. */
    public static long endOf(long incarnation) {
        return ((incarnation + 1) << COUNTER_BITS) - 1;
    }

    public static long incarnationOf(long number) {
        return number >>> COUNTER_BITS;
    }
}
