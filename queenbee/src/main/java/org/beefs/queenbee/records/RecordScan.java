package org.beefs.queenbee.records;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;

/** Looks, slice by slice, for all inodes that some honeycombs have missed the last change of. Belongs to the namespace thread. */
final class RecordScan {
    /** Inodes looked at in one pass: less than a millisecond. */
    private static final int SLICE = 4096;

    private final List<Inode> inodes;
    private final RecordPlaces places;

    /** By number of their honeycomb. */
    private final Map<Integer, Feed> feeds;

    private int next;

    RecordScan(List<Inode> inodes, RecordPlaces places, Collection<Feed> feeds) {
        this.inodes = inodes;
        this.places = places;
        this.feeds =
                feeds.stream().collect(Collectors.toMap(feed -> feed.honeycomb().number(), feed -> feed));
        feeds.forEach(Feed::beginScan);
    }

    /** Whether it can go on: nobody has as much waiting as should be. */
    boolean hasRoom() {
        return feeds.values().stream().allMatch(feed -> !feed.isScanned() || feed.hasRoom());
    }

    /**
     * Looks at the next few.
     *
     * @param exists whether an inode of that number is still there
     * @return whether there is more to look at
     */
    boolean runSlice(LongPredicate exists, long now) {
        int end = Math.min(inodes.size(), next + SLICE);
        for (Inode inode : inodes.subList(next, end)) {
            if (exists.test(inode.number())) {
                look(inode, now);
            }
        }
        next = end;
        boolean more = next < inodes.size();
        if (!more) {
            feeds.values().stream().filter(Feed::isScanned).forEach(Feed::endScan);
        }
        return more;
    }

    private void look(Inode inode, long now) {
        for (Honeycomb honeycomb : places.of(inode)) {
            Feed feed = feeds.get(honeycomb.number());
            if (feed != null && feed.isScanned() && (feed.complete() == 0 || inode.changed() > feed.complete())) {
                feed.renew(inode.number(), now);
            }
        }
    }
}
