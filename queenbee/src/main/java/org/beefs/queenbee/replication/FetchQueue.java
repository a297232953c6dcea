package org.beefs.queenbee.replication;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one honeycomb is to copy: what waits, and the one request under way. After a request that failed as a whole the
 * next one waits, twice as long each time. Belongs to the namespace thread.
 */
final class FetchQueue {
    /** Since when by the boot clock, in this order but for what has failed. */
    private final LinkedHashMap<Long, Long> wanted = new LinkedHashMap<>();

    /** Likewise, of what was taken for the request under way. */
    private final Map<Long, Long> taken = new HashMap<>();

    private final Pauses pauses;
    private @Nullable FetchErrand underWay;
    private int failures;
    private long notBefore = Long.MIN_VALUE;

    FetchQueue(Pauses pauses) {
        this.pauses = pauses;
    }

    void add(long inode, long now) {
        wanted.putIfAbsent(inode, now);
    }

    /** Whether a request could be made now. */
    boolean isReady(long now) {
        return underWay == null && !wanted.isEmpty() && now >= notBefore;
    }

    /** The one that waits for longest; it does not wait any more. */
    long take() {
        Map.Entry<Long, Long> first = wanted.pollFirstEntry();
        taken.put(first.getKey(), first.getValue());
        return first.getKey();
    }

    /** What was taken turns out to be nothing that could be copied now. */
    void forget(long inode) {
        taken.remove(inode);
    }

    void begun(FetchErrand errand) {
        underWay = errand;
    }

    /** A request was answered. False when it does not count any more. */
    boolean answered(FetchErrand errand) {
        if (!isUnderWay(errand)) {
            return false;
        }
        underWay = null;
        taken.clear();
        failures = 0;
        return true;
    }

    /** A request has failed: all that it named waits again. */
    void failed(FetchErrand errand, long now) {
        if (isUnderWay(errand)) {
            takeBack();
            notBefore = now + pauses.after(++failures);
        }
    }

    /** The honeycomb has connected anew: what was under way will not be answered. */
    void restart() {
        takeBack();
        failures = 0;
        notBefore = Long.MIN_VALUE;
    }

    private void takeBack() {
        underWay = null;
        taken.forEach(wanted::putIfAbsent);
        taken.clear();
    }

    /** Since when what waits for longest, or is being copied, does so; {@link Long#MAX_VALUE} when there is nothing. */
    long oldest() {
        return Stream.concat(wanted.values().stream().limit(1), taken.values().stream())
                .mapToLong(Long::longValue)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private boolean isUnderWay(FetchErrand errand) {
        return underWay != null && underWay.number() == errand.number();
    }

    int waiting() {
        return wanted.size();
    }

    Optional<FetchErrand> errand() {
        return Optional.ofNullable(underWay);
    }

    long bytesUnderWay() {
        return underWay == null ? 0 : underWay.bytes();
    }

    int underWay() {
        return underWay == null ? 0 : underWay.inodes().size();
    }
}
