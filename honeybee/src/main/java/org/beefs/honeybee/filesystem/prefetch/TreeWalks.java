package org.beefs.honeybee.filesystem.prefetch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.FileMode;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.ListDirectory;
import org.beefs.honeybee.queen.Metadata;

/**
 * Notices that a program goes through a tree, directory by directory in the order in which these were listed, as find,
 * ls -R and grep -r do, and has the next ones listed before it gets there. Thread-safe.
 */
final class TreeWalks {
    /** Directories of listings that are remembered, those of the latest ones. */
    private static final int MOST_DIRECTORIES = 4096;

    /**
     * Directories that are listed one after the other before this is taken for a walk: looking into one at the end of a
     * path is none.
     */
    private static final int STEPS = 3;

    /**
     * Entries of a directory that is listed ahead. Larger ones take the queen-bee so long that they had better be
     * wanted.
     */
    private static final int LARGEST = 256;

    /** Listings that are under way at a time; what comes meanwhile is not listed ahead. */
    private static final int MOST_UNDER_WAY = 64;

    private final Metadata metadata;
    private final ListingsAhead ahead;

    // Guarded by this.
    private final RecentScans scans = new RecentScans(MOST_DIRECTORIES);
    private int steps;

    TreeWalks(Metadata metadata, Clock clock) {
        this.metadata = metadata;
        this.ahead = new ListingsAhead(metadata, clock, MOST_UNDER_WAY);
    }

    /** Done when a listing that is under way is there, or is not to be had. */
    CompletableFuture<Void> arrived(long directory) {
        return ahead.arrived(directory);
    }

    /**
     * Somebody was told these entries of a directory, in this order.
     *
     * @param after the cookie behind which the page begins
     */
    void listed(long directory, long after, List<DirectoryEntry> entries) {
        next(directory, after, entries).forEach(this::list);
    }

    private synchronized List<Long> next(long directory, long after, List<DirectoryEntry> entries) {
        DirectoryScan siblings = scans.find(directory);
        if (after == 0) {
            steps = siblings != null && siblings.use(directory) ? steps + 1 : 0;
        }
        List<Long> next = new ArrayList<>();
        long[] children = entries.stream()
                .filter(entry -> FileMode.isDirectory(entry.getType()))
                .mapToLong(DirectoryEntry::getInode)
                .toArray();
        if (children.length > 0) {
            DirectoryScan below =
                    scans.add(directory, after, children, entries.getLast().getCookie());
            next.addAll(steps >= STEPS ? below.next(ahead.room()) : List.of());
        }
        if (steps >= STEPS && siblings != null) {
            next.addAll(siblings.next(Math.max(0, ahead.room() - next.size())));
        }
        return next;
    }

    private void list(long directory) {
        if (ahead.isFull() || metadata.isListed(directory)) {
            return;
        }
        ahead.ask(
                ListDirectory.newBuilder().setInode(directory).setLimit(LARGEST).setWithNodes(true));
    }
}
