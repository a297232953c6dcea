package org.beefs.honeycomb.store;

import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.honeycomb.disk.DiskSpace;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much space replicas take and may take. Thread-safe. In bytes.
 *
 * <p>What is used is a running sum of allocated blocks, with those of files that are not replicas yet. An operation
 * that may need more space first reserves the most that it can need, and afterwards reports what it really took and
 * gives the reservation back: so capacity is never exceeded, also by operations side by side. The disk's free space is
 * asked for when it was last seen more than {@link #SIGHT_NANOS} ago or would not suffice by what was then seen; in
 * between, the owner's own files may take some of the reserve.
 *
 * <p>Where no capacity is configured, it is a part of what replicas take and what is free: it follows the owner, who
 * fills the disk and frees it.
 *
 * <p>A disk may take no more although bytes are free: hardly any inodes are left, or the quota of who runs the
 * honeycomb is used up, or it has become read-only, which shows only when it refuses something. Then nothing new is to
 * come here.
 */
public final class Space {
    /**
     * What must be left for a replica to be written in passthrough: whoever writes there reserves nothing and is not
     * stopped, except by a full disk. Nearer to the end everything goes through the store, which counts. Bytes.
     */
    static final long ROOM_FOR_PASSTHROUGH = 1L << 30;

    /** How long a look at the disk's free space counts. Nanoseconds. */
    static final long SIGHT_NANOS = 100_000_000;

    /** How long a refusal counts that has nothing to do with what is free: then it is tried again. Nanoseconds. */
    static final long REFUSAL_NANOS = 60_000_000_000L;

    /** What replicas may take of what they take and what is free, where nothing else is configured. */
    public static final int CAPACITY_PERCENT = 80;

    private static final Set<Errno> REFUSALS = EnumSet.of(Errno.EDQUOT, Errno.EROFS);

    private static final Logger LOG = LoggerFactory.getLogger(Space.class);

    /**
     * A look at the disk: what was free, whether it took new files, what replicas took then, and what they may take.
     */
    private record Sight(long free, boolean takesFiles, long takenAt, long usedThen, long capacity) {}

    /** What the disk said when it took no more although bytes were free; at, by the boot clock, in ns. */
    private record Refusal(Errno errno, long at) {}

    private final ReplicaFiles files;
    private final Clock clock;
    private final OptionalLong capacity;
    private final long reserve;
    private final AtomicLong used;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong unfinished = new AtomicLong();
    private volatile Sight sight;

    /** The last; null when there was none. */
    private volatile @Nullable Refusal refusal;

    /**
     * @param capacity what replicas may take altogether, if that is configured
     * @param reserve what stays free for the disk's owner
     * @param used what replicas take now
     */
    public Space(ReplicaFiles files, Clock clock, OptionalLong capacity, long reserve, long used) {
        this.files = files;
        this.clock = clock;
        this.capacity = capacity;
        this.reserve = reserve;
        this.used = new AtomicLong(used);
        this.sight = look();
    }

    /**
     * Takes space that an operation may need, to be released after it; fails with ENOSPC when there is too little. One
     * at a time, so that what is refused is never in the way of another operation that fits.
     */
    void reserve(long growth) {
        if (growth == 0) {
            return;
        }
        synchronized (reserved) {
            check(reserved.get() + growth);
            reserved.addAndGet(growth);
        }
    }

    /** Fails with ENOSPC when so much is not to be had; also when the disk cannot be looked at. */
    private void check(long wanted) {
        // `wanted` must be read first: space taken concurrently moves from reserved to taken, and is then counted twice
        // rather than not at all.
        long after = wanted + taken();
        Sight seen = sightFor(after);
        if (after > seen.capacity) {
            throw new PosixException(Errno.ENOSPC, "the honeycomb's capacity is used up; " + advice());
        }
        if (!leavesReserve(seen, after)) {
            throw new PosixException(Errno.ENOSPC, "the disk's remaining space is reserved for its owner");
        }
    }

    private String advice() {
        return capacity.isPresent()
                ? "raise it or remove files"
                : "it is %d %% of what is free and what files take here: free some space, or configure it"
                        .formatted(CAPACITY_PERCENT);
    }

    /** Fails with ENOSPC when the disk has hardly any inodes left: these are its owner's. */
    void checkNewFile() {
        if (!recentSight().takesFiles) {
            throw new PosixException(Errno.ENOSPC, "the disk has hardly any inodes left; remove some files there");
        }
    }

    /** Hears of an operation of the store that has failed. */
    void noticed(Throwable failure) {
        if (failure instanceof PosixException known && REFUSALS.contains(known.errno())) {
            refusal = new Refusal(known.errno(), clock.bootNanos());
        }
    }

    boolean hasRoomForPassthrough() {
        long after = taken() + reserved.get() + ROOM_FOR_PASSTHROUGH;
        Sight seen = sightFor(after);
        return fits(seen, after) && takesMore(seen);
    }

    void release(long growth) {
        reserved.addAndGet(-growth);
    }

    /** Counts that replicas take so much more, or less, than before. */
    void countReplicas(long difference) {
        used.addAndGet(difference);
    }

    /** Counts that incoming files take so much more, or less, than before; that is used, too. */
    void countUnfinished(long difference) {
        unfinished.addAndGet(difference);
        used.addAndGet(difference);
    }

    /** Bytes that replicas take; for tests. */
    public long used() {
        return taken();
    }

    /**
     * Bytes that replicas take. What the last stop has counted may have been too little: whoever moved the folder since
     * may have filled holes of its files. The next scan counts anew.
     */
    private long taken() {
        return Math.max(0, used.get());
    }

    /** Bytes that replicas take, without incoming files, which are gone at the next start. */
    public long usedByReplicas() {
        return Math.max(0, used.get() - unfinished.get());
    }

    /** As the disk is now; nothing is available while it cannot be looked at. */
    public HoneycombSpace report() {
        try {
            Sight now = look();
            long available = takesMore(now) ? Math.min(now.capacity - now.usedThen, now.free - reserve) : 0;
            return report(now, now.usedThen, available).toBuilder()
                    .setReadOnly(lastRefusal() == Errno.EROFS)
                    .build();
        } catch (PosixException e) {
            LOG.warn("how much of the disk is free is not known: {}", e.getMessage());
            return report(sight, taken(), 0);
        }
    }

    private static HoneycombSpace report(Sight seen, long taken, long available) {
        return HoneycombSpace.newBuilder()
                .setCapacity(seen.capacity)
                .setUsed(taken)
                .setAvailable(Math.max(0, available))
                .build();
    }

    /**
     * Bytes that new replicas may take, as in {@link #report}, but by a recent look at the disk, and without what
     * programs have taken in passthrough since it was counted last; so it may be asked for each new file. Nothing while
     * the disk cannot be looked at.
     */
    public long available() {
        try {
            Sight recent = recentSight();
            long taken = taken() + reserved.get();
            long available = Math.min(recent.capacity - taken, recent.free - (taken - recent.usedThen) - reserve);
            return takesMore(recent) ? Math.max(0, available) : 0;
        } catch (PosixException failing) {
            return 0;
        }
    }

    private boolean takesMore(Sight seen) {
        return seen.takesFiles && lastRefusal() == null;
    }

    /** Why the disk takes no more although bytes are free, as it has said lately; null when it has not. */
    private @Nullable Errno lastRefusal() {
        Refusal last = refusal;
        return last != null && clock.bootNanos() - last.at < REFUSAL_NANOS ? last.errno : null;
    }

    private Sight recentSight() {
        Sight last = sight;
        if (isRecent(last)) {
            return last;
        }
        Sight now = look();
        sight = now;
        return now;
    }

    /** A recent sight, or a new one if by that there is no room for so much. */
    private Sight sightFor(long after) {
        Sight last = sight;
        if (isRecent(last) && fits(last, after)) {
            return last;
        }
        Sight now = look();
        sight = now;
        return now;
    }

    private boolean fits(Sight seen, long after) {
        return after <= seen.capacity && leavesReserve(seen, after);
    }

    private boolean isRecent(Sight seen) {
        return clock.bootNanos() - seen.takenAt < SIGHT_NANOS;
    }

    private boolean leavesReserve(Sight seen, long after) {
        return seen.free - (after - seen.usedThen) >= reserve;
    }

    private Sight look() {
        DiskSpace disk = files.space();
        long taken = taken();
        long most = capacity.orElse((taken + disk.free()) / 100 * CAPACITY_PERCENT);
        return new Sight(disk.free(), !disk.inodes().areScarce(), clock.bootNanos(), taken, most);
    }
}
