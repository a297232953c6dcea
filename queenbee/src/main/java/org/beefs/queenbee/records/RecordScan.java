package org.beefs.queenbee.records;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;

/**
 * Looks, slice by slice, for all that some honeycombs have missed: that inodes are gone, and the last changes of those
 * that are there. However much that is, no more is taken up than may wait. Belongs to the namespace thread.
 */
final class RecordScan {
    /** Inodes looked at in one pass: less than a millisecond. */
    private static final int SLICE = 4096;

    /** An inode that is gone, of which a feed's catalog has yet to hear. */
    private record Removal(Feed feed, long inode) {}

    private final Deque<Removal> removals = new ArrayDeque<>();
    private final List<Inode> inodes;
    private final RecordPlaces places;

    /** By number of their honeycomb. */
    private final Map<Integer, Feed> feeds;

    private int next;

    /** @param gone inodes of which a feed's catalog has yet to hear that they are gone */
    RecordScan(
            List<Inode> inodes,
            RecordPlaces places,
            Collection<Feed> feeds,
            Function<Feed, Collection<Tombstone>> gone) {
        this.inodes = inodes;
        this.places = places;
        this.feeds =
                feeds.stream().collect(Collectors.toMap(feed -> feed.honeycomb().number(), feed -> feed));
        feeds.forEach(Feed::beginScan);
        feeds.forEach(feed -> gone.apply(feed).forEach(one -> removals.add(new Removal(feed, one.inode()))));
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
        return takeRemovals(now) || lookAtInodes(exists, now);
    }

    /** Whether there were some. */
    private boolean takeRemovals(long now) {
        boolean any = !removals.isEmpty();
        for (int left = SLICE; left > 0 && !removals.isEmpty(); left--) {
            Removal removal = removals.remove();
            if (removal.feed().isScanned()) {
                removal.feed().add(removal.inode(), now);
            }
        }
        return any;
    }

    private boolean lookAtInodes(LongPredicate exists, long now) {
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
