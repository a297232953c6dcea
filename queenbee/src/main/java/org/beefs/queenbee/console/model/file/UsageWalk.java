package org.beefs.queenbee.console.model.file;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import org.beefs.common.config.ByteSize;
import org.beefs.queenbee.console.model.file.Usage.Amount;
import org.beefs.queenbee.console.model.file.Usage.Part;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;
import org.jspecify.annotations.Nullable;

/**
 * Adds up a tree, depth first and in steps, so that others are served in between. What is moved meanwhile counts twice
 * or not at all, as with du(1). Used by one thread at a time.
 */
final class UsageWalk {
    /** Parts that are named. */
    static final int MOST_NAMED = 200;

    /** Entries of a step: some 100 µs of the namespace thread. */
    private static final int STEP = 2048;

    private static final Comparator<Part> SMALLEST_FIRST = Comparator.comparingLong(
                    (Part part) -> part.amount().bytes())
            .thenComparing(Part::name, Comparator.reverseOrder());

    /** A directory that is on the way, and the last of its entries that was looked at. */
    private record Place(long directory, long after) {}

    private final FileView top;

    /** From the directory that is looked at up to the top: as many as the tree is deep. */
    private final Deque<Place> way = new ArrayDeque<>();

    /** Files with several names that were counted. */
    private final Set<Long> linked = new HashSet<>();

    private final Queue<Part> largest = new PriorityQueue<>(SMALLEST_FIRST);
    private final Sum total = new Sum();
    private Amount others = Amount.NOTHING;
    private boolean begun;

    /** What is directly in the top and is being added up. */
    private @Nullable Dentry part;

    private Sum partSum = new Sum();

    UsageWalk(FileView top) {
        this.top = top;
    }

    /** Looks at some more; true when that was all. On the namespace thread. */
    boolean step(QueenState state) {
        if (!begun) {
            begun = true;
            begin(state);
        }
        int left = STEP;
        while (left > 0 && !way.isEmpty()) {
            left -= goOn(state, way.pop(), left);
        }
        if (way.isEmpty()) {
            endPart();
        }
        return way.isEmpty();
    }

    Usage result() {
        return new Usage(
                top.path(),
                total.amount(),
                largest.stream().sorted(SMALLEST_FIRST.reversed()).toList(),
                others);
    }

    private void begin(QueenState state) {
        Inode inode = state.namespace().find(top.inode());
        if (inode != null) {
            total.add(inode);
            enter(inode);
        }
    }

    private void enter(Inode inode) {
        if (inode.isDirectory()) {
            way.push(new Place(inode.number(), 0));
        }
    }

    /** Looks at entries of a directory until one is a directory itself; returns how many, at least one. */
    private int goOn(QueenState state, Place place, int most) {
        Inode directory = state.namespace().find(place.directory());
        if (directory == null || !directory.isDirectory()) {
            return 1; // it was removed meanwhile
        }
        Look look = new Look(way.isEmpty(), most);
        directory.directory().visit(place.after(), look);
        if (look.wantsMore) {
            way.push(new Place(place.directory(), look.last));
        }
        if (look.below != null) {
            enter(look.below);
        }
        return Math.max(1, look.seen);
    }

    /** A look at entries of a directory. */
    private final class Look implements Predicate<Dentry> {
        private final boolean atTop;
        private final int most;
        private int seen;
        private long last;
        private boolean wantsMore;
        private @Nullable Inode below;

        Look(boolean atTop, int most) {
            this.atTop = atTop;
            this.most = most;
        }

        @Override
        public boolean test(Dentry entry) {
            seen++;
            last = entry.cookie();
            count(entry, atTop);
            below = entry.inode().isDirectory() ? entry.inode() : null;
            wantsMore = below != null || seen == most;
            return !wantsMore;
        }
    }

    private void count(Dentry entry, boolean atTop) {
        Inode inode = entry.inode();
        if (atTop) {
            endPart();
            part = entry;
        }
        boolean again = !inode.isDirectory() && inode.links() > 1 && !linked.add(inode.number());
        if (!again) {
            partSum.add(inode);
            total.add(inode);
        }
    }

    private void endPart() {
        if (part == null) {
            return;
        }
        Inode inode = part.inode();
        largest.add(new Part(part.name().toStringUtf8(), inode.number(), inode.isDirectory(), partSum.amount()));
        part = null;
        partSum = new Sum();
        if (largest.size() > MOST_NAMED) {
            others = others.plus(largest.remove().amount());
        }
    }

    /** An amount that grows with each of a million files. */
    private static final class Sum {
        private long files;
        private long directories;
        private long bytes;
        private long stored;

        void add(Inode inode) {
            if (inode.isDirectory()) {
                directories++;
                return;
            }
            files++;
            bytes = ByteSize.sum(bytes, inode.size());
            if (inode.isRegular()) {
                stored = ByteSize.sum(stored, ByteSize.times(inode.size(), replicas(inode)));
            }
        }

        Amount amount() {
            return new Amount(files, directories, bytes, stored);
        }
    }

    /** Those that hold something. */
    private static long replicas(Inode inode) {
        boolean begun = inode.honeycomb() != 0 && (inode.version() != 0 || inode.dirty());
        return begun ? 1 + inode.secondaries().countVersions(inode.version()) : 0;
    }
}
