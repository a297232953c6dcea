package org.beefs.queenbee.records;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * Looks, slice by slice, for all that some honeycombs have missed: tombstones, and the last changes of inodes that are
 * there. However much that is, no more is taken up than may wait. Belongs to the namespace thread.
 */
final class RecordScan {
    /** About how many inodes are looked at in one pass: less than a millisecond. */
    private static final int SLICE = 4096;

    /** An inode that is gone, of which a feed's catalog has yet to hear. */
    private record Removal(Feed feed, long inode) {}

    private final Deque<Removal> removals = new ArrayDeque<>();
    private final Namespace namespace;
    private final RecordPlaces places;

    /** Feeds by number of their honeycomb. */
    private final Map<Integer, Feed> feeds;

    /** The position in the namespace where the next part begins. */
    private int position;

    /** @param gone inodes of which a feed's catalog has yet to hear that they are gone */
    RecordScan(
            Namespace namespace,
            RecordPlaces places,
            Collection<Feed> feeds,
            Function<Feed, Collection<Tombstone>> gone) {
        this(namespace, places, feeds);
        feeds.forEach(Feed::beginScan);
        feeds.forEach(feed -> gone.apply(feed).forEach(one -> removals.add(new Removal(feed, one.number()))));
    }

    private RecordScan(Namespace namespace, RecordPlaces places, Collection<Feed> feeds) {
        this.namespace = namespace;
        this.places = places;
        this.feeds =
                feeds.stream().collect(Collectors.toMap(feed -> feed.honeycomb().number(), feed -> feed));
    }

    /** Whether it can go on: nobody has as much waiting as should be. */
    boolean hasRoom() {
        return feeds.values().stream().allMatch(feed -> !feed.isScanned() || feed.hasRoom());
    }

    /** Feeds that are not scanned any more may be part of another scan before this one ends. */
    void forgetLeavers() {
        if (feeds.values().removeIf(feed -> !feed.isScanned())) {
            removals.removeIf(removal -> !removal.feed().isScanned());
        }
    }

    /** Whether nobody is left. */
    boolean isEmpty() {
        return feeds.isEmpty();
    }

    /**
     * Takes out the feeds for which others have waited for long enough; they go on from here by themselves.
     *
     * @return their scan; null if there are none, or no others
     */
    @Nullable
    RecordScan leaveDelayingBehind(long now) {
        Set<Feed> delaying =
                feeds.values().stream().filter(feed -> feed.isDelaying(now)).collect(Collectors.toSet());
        if (delaying.isEmpty() || delaying.size() == feeds.size()) {
            return null;
        }
        RecordScan left = new RecordScan(namespace, places, delaying);
        left.position = position;
        feeds.values().removeAll(delaying);
        removals.stream().filter(removal -> delaying.contains(removal.feed())).forEach(left.removals::add);
        removals.removeIf(removal -> delaying.contains(removal.feed()));
        return left;
    }

    /** Looks at the next few; answers whether there is more to look at. */
    boolean runSlice(long now) {
        return takeRemovals(now) || lookAtInodes(now);
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

    private boolean lookAtInodes(long now) {
        long least = leastComplete();
        boolean all = least == 0 || places.haveChangedSince(least);
        position = namespace.forSome(position, SLICE, inode -> {
            if (all || inode.changed() > least) {
                look(inode, now);
            }
        });
        boolean more = position != 0;
        if (!more) {
            feeds.values().stream().filter(Feed::isScanned).forEach(Feed::endScan);
        }
        return more;
    }

    /** The sequence since which somebody may have missed changes; 0 when somebody is told everything. */
    private long leastComplete() {
        return feeds.values().stream()
                .filter(Feed::isScanned)
                .mapToLong(Feed::complete)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void look(Inode inode, long now) {
        for (Honeycomb honeycomb : places.withConnected(inode)) {
            look(inode, honeycomb.number(), now);
        }
        for (Integer substitute : places.substitutes(inode)) {
            look(inode, substitute, now);
        }
    }

    private void look(Inode inode, int honeycomb, long now) {
        Feed feed = feeds.get(honeycomb);
        if (feed != null && feed.isScanned()) {
            look(inode, feed, now);
        }
    }

    private void look(Inode inode, Feed feed, long now) {
        if (feed.complete() == 0 || inode.changed() > feed.complete()) {
            feed.renew(inode.number(), now);
        } else if (places.isNewSince(feed.complete(), inode, feed.honeycomb())) {
            feed.add(inode.number(), now);
        }
    }
}
