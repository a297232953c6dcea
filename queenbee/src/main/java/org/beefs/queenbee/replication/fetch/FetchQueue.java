package org.beefs.queenbee.replication.fetch;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files that one honeycomb is to copy: those that wait, and those of the one request under way. After a request that
 * failed as a whole the next one waits, twice as long each time. Belongs to the namespace thread.
 */
final class FetchQueue {
    /**
     * Inodes to be copied, each with when it was first wanted (boot clock, ns). In that order; what failed, or was not
     * reached, goes last, and what was added as the first goes before all.
     */
    private final LinkedHashMap<Long, Long> wanted = new LinkedHashMap<>();

    /** Inodes copied in part, each with when it was first wanted. */
    private final LinkedHashMap<Long, Long> begun = new LinkedHashMap<>();

    /** Inodes that the request under way names, each with when it was first wanted. */
    private final Map<Long, Long> taken = new HashMap<>();

    /** Inodes that the last answered request named, each with when it was first wanted. */
    private final Map<Long, Long> answered = new HashMap<>();

    private final Pauses pauses;
    private @Nullable FetchErrand underWay;

    /** Whether the present request begins with what was copied in part. */
    private boolean goesOn;

    /** The inode copied in part with which the present request begins; 0 when with none. */
    private long head;

    private int failures;
    private long notBefore = Long.MIN_VALUE;

    FetchQueue(Pauses pauses) {
        this.pauses = pauses;
    }

    void add(long inode, long now) {
        if (!begun.containsKey(inode)) {
            wanted.putIfAbsent(inode, now);
        }
    }

    /** An inode goes before all others. */
    void addFirst(long inode, long now) {
        long since = Math.min(wanted.getOrDefault(inode, now), answered.getOrDefault(inode, now));
        begun.remove(inode);
        wanted.putFirst(inode, since);
    }

    /**
     * An inode of the request that was just answered is not copied yet: it waits on. It may have been added anew while
     * the request was under way.
     */
    void addAgain(long inode, long now) {
        if (!begun.containsKey(inode)) {
            wanted.merge(inode, answered.getOrDefault(inode, now), Math::min);
        }
    }

    /**
     * An inode that waits was copied in part. If the last request began with it, it stays first in line, else it goes
     * last.
     */
    void goOn(long inode) {
        Long since = wanted.remove(inode);
        if (since != null && inode == head) {
            begun.putFirst(inode, since);
        } else if (since != null) {
            begun.put(inode, since);
        }
    }

    /** Whether a request could be made now. */
    boolean isReady(long now) {
        return underWay == null && waiting() > 0 && now >= notBefore;
    }

    /**
     * Takes the inode that waits for longest. Every other request goes on with what was copied in part: so large files
     * end one after the other, before their honeycomb forgets how far it has come with them, and keep no others back.
     */
    long take() {
        boolean isFirst = taken.isEmpty();
        if (isFirst) {
            goesOn = !goesOn;
        }
        boolean ofBegun = wanted.isEmpty() || (goesOn && !begun.isEmpty());
        Map.Entry<Long, Long> first = (ofBegun ? begun : wanted).pollFirstEntry();
        if (isFirst) {
            head = ofBegun ? first.getKey() : 0;
        }
        taken.put(first.getKey(), first.getValue());
        return first.getKey();
    }

    /** An inode that was taken cannot be copied now. */
    void forget(long inode) {
        taken.remove(inode);
    }

    void begin(FetchErrand errand) {
        underWay = errand;
    }

    /** A request was answered. False when it does not count any more. */
    boolean answered(FetchErrand errand) {
        if (!isUnderWay(errand)) {
            return false;
        }
        underWay = null;
        answered.clear();
        answered.putAll(taken);
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
        taken.forEach((inode, since) -> wanted.merge(inode, since, Math::min));
        taken.clear();
    }

    /**
     * When the inode was first wanted that waits for longest, or is being copied; {@link Long#MAX_VALUE} when there is
     * none.
     */
    long oldest() {
        return Stream.of(wanted, begun, taken)
                .flatMap(inodes -> inodes.values().stream())
                .mapToLong(Long::longValue)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private boolean isUnderWay(FetchErrand errand) {
        return underWay != null && underWay.number() == errand.number();
    }

    int waiting() {
        return wanted.size() + begun.size();
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
