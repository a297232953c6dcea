package org.beefs.queenbee.namespace;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of their cookies. New ones come at the end; a removed one leaves a mark with its cookie, and the
 * marks go when they are more than half. Going on at a cookie takes a binary search. Marks at the beginning are never
 * passed: who empties a directory leaves them there, and looks at what comes next again and again.
 */
final class DentryOrder {
    /** Name of a mark; entries have names of at least one byte. */
    private static final byte[] REMOVED = new byte[0];

    /** The inode that marks point to, so that they keep none alive. */
    private static final Inode NOTHING = new Inode(0);

    private static final int SMALLEST = 4;

    private @Nullable Dentry[] entries = new @Nullable Dentry[SMALLEST];
    private int end;

    /** Position of the first entry that is none of the marks; the end when there is none. */
    private int first;

    private int removed;

    /**
     * Positions from the one on to before the other have marks only, as the last look at the first entries has found.
     */
    private int gap;

    private int gapEnd;

    /** Makes room for so many more entries at once. */
    void reserve(int more) {
        if (end + more > entries.length) {
            entries = Arrays.copyOf(entries, end + more);
        }
    }

    void append(Dentry entry) {
        if (end > 0 && at(end - 1).cookie >= entry.cookie) {
            throw new IllegalStateException("cookie " + entry.cookie + " is not the highest");
        }
        if (end == entries.length) {
            entries = Arrays.copyOf(entries, end * 2);
        }
        entries[end++] = entry;
    }

    void remove(long cookie) {
        int position = firstAbove(cookie - 1);
        Dentry entry = at(position);
        if (entry.cookie != cookie || isRemoved(entry)) {
            throw new IllegalStateException("no entry has cookie " + cookie);
        }
        entries[position] = new Dentry(REMOVED, cookie, NOTHING);
        removed++;
        while (first < end && isRemoved(at(first))) {
            first++;
        }
        if (removed > end / 2) {
            compact();
        }
    }

    void visit(long after, Predicate<Dentry> visitor) {
        for (int position = begin(after); position < end; position++) {
            Dentry entry = at(position);
            if (!isRemoved(entry) && !visitor.test(entry)) {
                return;
            }
        }
    }

    /**
     * Shows what is at so many positions at the beginning, of which some may have marks only. The marks behind entries
     * that stay are passed once: the next look goes on behind them.
     */
    void visitFirst(int positions, Predicate<Dentry> visitor) {
        int position = first;
        for (int looked = 0; looked < positions && position < end; looked++) {
            if (gap <= position && position < gapEnd) {
                position = gapEnd;
            } else if (isRemoved(at(position))) {
                pass(position++);
            } else if (!visitor.test(at(position++))) {
                return;
            }
        }
    }

    /** Of several runs of marks the last one found is remembered. */
    private void pass(int mark) {
        gap = mark == gapEnd ? gap : mark;
        gapEnd = mark + 1;
    }

    private int begin(long after) {
        return Math.max(first, firstAbove(after));
    }

    private int firstAbove(long cookie) {
        int low = 0;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).cookie > cookie) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private void compact() {
        @Nullable Dentry[] kept = new @Nullable Dentry[Math.max(SMALLEST, (end - removed) * 3 / 2)];
        int count = 0;
        for (int position = 0; position < end; position++) {
            if (!isRemoved(at(position))) {
                kept[count++] = entries[position];
            }
        }
        entries = kept;
        end = count;
        first = 0;
        removed = 0;
        gap = 0;
        gapEnd = 0;
    }

    private Dentry at(int position) {
        Dentry entry = entries[position];
        if (entry == null) {
            throw new IllegalStateException("no entry at " + position + " of " + end);
        }
        return entry;
    }

    private static boolean isRemoved(Dentry entry) {
        return entry.name.length == 0;
    }
}
