package org.beefs.queenbee.records;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.beefs.queenbee.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The scans that are going on. Honeycombs that come while one could go on share the next one; a honeycomb that takes up
 * less than the others delays only itself, and goes on alone from then on. Belongs to the namespace thread.
 */
final class RecordScans {
    private final Namespace namespace;
    private final RecordPlaces places;
    private final Function<Feed, Collection<Tombstone>> gone;

    /** Scans that take turns. At most one for each honeycomb. */
    private final Deque<RecordScan> scans = new ArrayDeque<>();

    /** @param gone inodes of which a feed's catalog has yet to hear that they are gone */
    RecordScans(Namespace namespace, RecordPlaces places, Function<Feed, Collection<Tombstone>> gone) {
        this.namespace = namespace;
        this.places = places;
        this.gone = gone;
    }

    /** Whether one of them could go on at once. */
    boolean canGoOn() {
        return scans.stream().anyMatch(RecordScan::hasRoom);
    }

    /** Looks at the next few inodes for some of those that want it. */
    void runSlice(List<Feed> feeds, long now) {
        scans.forEach(RecordScan::forgetLeavers);
        scans.removeIf(RecordScan::isEmpty);
        leaveDelayingBehind(now);
        if (!canGoOn()) {
            begin(feeds);
        }
        RecordScan scan = next();
        if (scan != null && scan.runSlice(now)) {
            scans.add(scan);
        }
    }

    private void leaveDelayingBehind(long now) {
        for (RecordScan scan : List.copyOf(scans)) {
            RecordScan left = scan.leaveDelayingBehind(now);
            if (left != null) {
                scans.add(left);
            }
        }
    }

    /**
     * Begins a scan for the feeds that want one. Called only when none can go on, so that many who come share the next
     * one.
     */
    private void begin(List<Feed> feeds) {
        List<Feed> wanting = feeds.stream().filter(Feed::wantsScan).toList();
        if (!wanting.isEmpty()) {
            scans.add(new RecordScan(namespace, places, wanting, gone));
        }
    }

    private @Nullable RecordScan next() {
        RecordScan next = scans.stream().filter(RecordScan::hasRoom).findFirst().orElse(null);
        scans.remove(next);
        return next;
    }
}
