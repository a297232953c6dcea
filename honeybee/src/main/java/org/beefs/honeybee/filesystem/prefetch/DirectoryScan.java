package org.beefs.honeybee.filesystem.prefetch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Inodes of a directory in the order in which they were listed, and how far a program has used them in this order.
 * Guarded by its owner.
 */
final class DirectoryScan {
    /** Inodes that are fetched ahead of a program at first, and at most. */
    private static final int FIRST_WINDOW = 4;

    private static final int LARGEST_WINDOW = 32;

    private final long directory;
    private long end;
    private long[] inodes = {};
    private int used;
    private int fetched;
    private int window = FIRST_WINDOW;

    /** @param end cookie behind which the listing goes on */
    DirectoryScan(long directory, long end) {
        this.directory = directory;
        this.end = end;
    }

    boolean goesOnAt(long inode, long after) {
        return directory == inode && end == after;
    }

    void add(long[] more, long last) {
        long[] all = Arrays.copyOf(inodes, inodes.length + more.length);
        System.arraycopy(more, 0, all, inodes.length, more.length);
        inodes = all;
        end = last;
    }

    /** How many inodes it has. */
    int size() {
        return inodes.length;
    }

    /** Shows all its inodes. */
    void forEach(LongConsumer visitor) {
        Arrays.stream(inodes).forEach(visitor);
    }

    /** Its place; -1 when it is not there. Looks first where it is expected. */
    int find(long inode) {
        for (int i = 0; i < inodes.length; i++) {
            int place = (used + i) % inodes.length;
            if (inodes[place] == inode) {
                return place;
            }
        }
        return -1;
    }

    /**
     * An inode that is here is used.
     *
     * @return whether it comes next, or soon after that
     */
    boolean use(long inode) {
        int place = find(inode);
        boolean inOrder = place >= used && place < used + LARGEST_WINDOW;
        window = inOrder ? Math.min(2 * window, LARGEST_WINDOW) : FIRST_WINDOW;
        used = place + 1;
        fetched = inOrder ? Math.max(fetched, used) : used;
        return inOrder;
    }

    /** Inodes to fetch now: none or many, so that there is not one request for each. */
    List<Long> next() {
        return next(LARGEST_WINDOW);
    }

    /** As {@link #next()}, but so many at most; the others have their turn later. */
    List<Long> next(int most) {
        if (fetched - used > window / 2) {
            return List.of();
        }
        List<Long> next = new ArrayList<>();
        int end = Math.min(inodes.length, Math.min(used + window, fetched + most));
        for (; fetched < end; fetched++) {
            next.add(inodes[fetched]);
        }
        return next;
    }
}
