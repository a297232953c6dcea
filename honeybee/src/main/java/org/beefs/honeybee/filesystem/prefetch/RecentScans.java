package org.beefs.honeybee.filesystem.prefetch;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Listings that were made lately, the latest first, up to a bound. Guarded by its owner. */
final class RecentScans {
    private final int most;
    private final Deque<DirectoryScan> scans = new ArrayDeque<>();
    private int size;

    /** @param most inodes at a time */
    RecentScans(int most) {
        this.most = most;
    }

    /**
     * Adds a page of a listing.
     *
     * @param after the cookie behind which it begins
     * @param inodes those of its entries that count, in its order
     * @param last cookie of its last entry
     */
    DirectoryScan add(long directory, long after, long[] inodes, long last) {
        DirectoryScan latest = scans.peekFirst();
        if (latest == null || !latest.goesOnAt(directory, after)) {
            latest = new DirectoryScan(directory, after);
            scans.addFirst(latest);
        }
        latest.add(inodes, last);
        size += inodes.length;
        while (size > most) {
            size -= scans.removeLast().size();
        }
        return latest;
    }

    /** The latest listing that an inode is in; null when there is none. */
    @Nullable
    DirectoryScan find(long inode) {
        for (DirectoryScan scan : scans) {
            if (scan.find(inode) >= 0) {
                return scan;
            }
        }
        return null;
    }
}
