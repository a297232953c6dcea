package org.beefs.queenbee.records;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What is to be taken away from catalogs, in order. Nobody is told of it before all that was changed by then is on disk
 * in the others: a removal that outlived what has replaced it would leave a recovery with neither. Belongs to the
 * namespace thread.
 */
final class Takings {
    private record Taking(long change, Runnable telling) {}

    private final List<Feed> feeds;
    private final Deque<Taking> held = new ArrayDeque<>();

    Takings(List<Feed> feeds) {
        this.feeds = feeds;
    }

    /** @param change up to this one all is to be on disk before */
    void add(long change, Runnable telling) {
        held.add(new Taking(change, telling));
    }

    /** Tells what may be told by now. Called when feeds have taken up what was changed. */
    void tell(long now) {
        if (held.isEmpty()) {
            return;
        }
        long onDisk =
                feeds.stream().mapToLong(feed -> feed.onDiskUntil(now)).min().orElse(Long.MAX_VALUE);
        while (!held.isEmpty() && held.getFirst().change() <= onDisk) {
            held.removeFirst().telling().run();
        }
    }
}
