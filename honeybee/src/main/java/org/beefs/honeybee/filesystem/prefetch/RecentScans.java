package org.beefs.honeybee.filesystem.prefetch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Listings that were made lately, the latest first, up to a bound. Guarded by its owner. */
final class RecentScans {
    private final int most;
    private final Deque<DirectoryScan> scans = new ArrayDeque<>();

    /** The latest scan of each inode: whoever reads what was not listed must not have to go through all scans. */
    private final Map<Long, DirectoryScan> byInode = new HashMap<>();

    private int size;

    /** @param most inodes at a time */
    RecentScans(int most) {
        this.most = most;
    }

    /**
     * Adds a page of a listing.
     *
     * @param after the cookie behind which it begins
     * @param inodes of the entries that count, in the order of the listing
     * @param last cookie of its last entry
     */
    DirectoryScan add(long directory, long after, long[] inodes, long last) {
        DirectoryScan latest = scans.peekFirst();
        if (latest == null || !latest.goesOnAt(directory, after)) {
            latest = new DirectoryScan(directory, after);
            scans.addFirst(latest);
        }
        latest.add(inodes, last);
        for (long inode : inodes) {
            byInode.put(inode, latest);
        }
        size += inodes.length;
        while (size > most) {
            forget(scans.removeLast());
        }
        return latest;
    }

    private void forget(DirectoryScan scan) {
        scan.forEach(inode -> byInode.remove(inode, scan));
        size -= scan.size();
    }

    /** The latest listing that an inode is in; null when there is none. */
    @Nullable
    DirectoryScan find(long inode) {
        return byInode.get(inode);
    }
}
