package org.beefs.queenbee.replication;

import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one honeycomb is to copy: what waits, and the one request under way. After a request that failed as a whole the next one waits,
 * twice as long each time. Belongs to the namespace thread.
 */
final class FetchQueue {
    private final LinkedHashSet<Long> wanted = new LinkedHashSet<>();
    private final Pauses pauses;
    private @Nullable FetchErrand underWay;
    private int failures;
    private long notBefore = Long.MIN_VALUE;

    FetchQueue(Pauses pauses) {
        this.pauses = pauses;
    }

    void add(long inode) {
        wanted.add(inode);
    }

    /** Whether a request could be made now. */
    boolean isReady(long now) {
        return underWay == null && !wanted.isEmpty() && now >= notBefore;
    }

    /** The one that waits for longest; it does not wait any more. */
    long take() {
        return wanted.removeFirst();
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
        failures = 0;
        return true;
    }

    /** A request has failed: all that it named waits again. */
    void failed(FetchErrand errand, long now) {
        if (isUnderWay(errand)) {
            underWay = null;
            wanted.addAll(errand.inodes());
            notBefore = now + pauses.after(++failures);
        }
    }

    /** The honeycomb has connected anew: what was under way will not be answered. */
    void restart() {
        wanted.addAll(underWay == null ? List.of() : underWay.inodes());
        underWay = null;
        failures = 0;
        notBefore = Long.MIN_VALUE;
    }

    private boolean isUnderWay(FetchErrand errand) {
        return underWay != null && underWay.number() == errand.number();
    }

    int waiting() {
        return wanted.size();
    }

    long bytesUnderWay() {
        return underWay == null ? 0 : underWay.bytes();
    }

    int underWay() {
        return underWay == null ? 0 : underWay.inodes().size();
    }
}
