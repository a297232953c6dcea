package org.beefs.honeybee.filesystem.prefetch;

import java.util.List;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.Node;
import org.beefs.honeybee.cache.ReadableFile;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.data.ReadAhead;
import org.beefs.honeybee.queen.Metadata;

/**
 * Notices that a program reads small files of other desktops in the order in which their directory was listed, as grep
 * -r, cp -r and tar do, and has the next ones fetched. What the kernel has nobody reads here, so nothing is fetched for
 * it. Thread-safe.
 */
final class SmallFileScans {
    /** Files of listings that are remembered, those of the latest ones. */
    private static final int MOST_FILES = 8192;

    private final Metadata metadata;
    private final Honeycombs honeycombs;

    // Guarded by this.
    private final RecentScans scans = new RecentScans(MOST_FILES);

    /** Whether what was read last was read in order, so that the first files of the next directory are wanted, too. */
    private boolean walking;

    SmallFileScans(Metadata metadata, Honeycombs honeycombs) {
        this.metadata = metadata;
        this.honeycombs = honeycombs;
    }

    /**
     * Somebody was told these entries of a directory, in this order.
     *
     * @param after the cookie behind which the page begins
     */
    void listed(long directory, long after, List<DirectoryEntry> entries) {
        long[] inodes = entries.stream()
                .filter(entry -> isSmall(entry.getNode()))
                .mapToLong(DirectoryEntry::getInode)
                .toArray();
        if (inodes.length > 0) {
            fetch(add(directory, after, inodes, entries.getLast().getCookie()));
        }
    }

    private static boolean isSmall(Node node) {
        return FileMode.isRegular(node.getAttributes().getMode())
                && isSmall(node.getAttributes().getSize());
    }

    private static boolean isSmall(long size) {
        return size > 0 && size <= ReadAhead.LARGEST;
    }

    /** Adds a page of a listing, and says what to fetch now. */
    private synchronized List<Long> add(long directory, long after, long[] inodes, long last) {
        DirectoryScan latest = scans.add(directory, after, inodes, last);
        boolean wanted = walking;
        walking = false; // until one of them is read
        return wanted ? latest.next() : List.of();
    }

    /** The beginning of a file is read. */
    void reads(long inode) {
        fetch(behind(inode));
    }

    private void fetch(List<Long> inodes) {
        List<ReadableFile> next = inodes.stream()
                .map(metadata::readable)
                .filter(file -> file != null && mayFetch(file))
                .toList();
        honeycombs.readAhead().fetch(next);
    }

    private boolean mayFetch(ReadableFile file) {
        return isSmall(file.size()) && honeycombs.isElsewhere(file.layout());
    }

    private synchronized List<Long> behind(long inode) {
        DirectoryScan scan = scans.find(inode);
        if (scan == null) {
            return List.of();
        }
        walking = scan.use(inode);
        return scan.next();
    }
}
