package org.beefs.honeybee.filesystem.hive;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Access;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.queen.QueenProxy;
import org.jspecify.annotations.Nullable;

/**
 * Times of the last access, as relatime keeps them (mount(8)): a read counts if the last one known is not later than
 * the last change, or a day ago. The queen-bee is told a little later, of many at once, and nobody waits for it; until
 * she knows, this mount shows them itself. What cannot be told is lost. Thread-safe; no method waits.
 */
final class AccessTimes {
    static final Duration TOLD_AFTER = Duration.ofSeconds(1);

    /** Times that are kept until the queen-bee is told; further ones are not. */
    static final int MOST = 4096;

    private static final Duration DAY = Duration.ofDays(1);

    private final QueenProxy queen;
    private final Clock clock;
    private final Timers timers;
    private final boolean kept;

    // Guarded by this.
    private final Map<Long, Access> untold = new LinkedHashMap<>();
    private boolean telling;

    /**
     * Whether {@code untold} has any, which it mostly has not: read without the lock, so that those who show attributes
     * do not wait for one another.
     */
    private volatile boolean anyUntold;

    /**
     * For one mount.
     *
     * @param kept whether reading counts there at all
     */
    AccessTimes(QueenProxy queen, Timers timers, boolean kept) {
        this.kept = kept;
        this.queen = queen;
        this.clock = queen.clock();
        this.timers = timers;
    }

    /** Somebody reads an inode with these attributes; nothing is kept if they are not known. */
    void read(@Nullable Attributes known) {
        Instant now = clock.now();
        if (!kept || known == null || !isDue(known.getAtime(), known, now)) {
            return;
        }
        synchronized (this) {
            Access noted = untold.get(known.getInode());
            boolean counts = noted == null ? untold.size() < MOST : isDue(noted.getTime(), known, now);
            if (!counts) {
                return;
            }
            untold.put(
                    known.getInode(),
                    Access.newBuilder()
                            .setInode(known.getInode())
                            .setTime(Timestamps.toWire(now))
                            .setSeen(known.getAtime())
                            .build());
            anyUntold = true;
            if (telling) {
                return;
            }
            telling = true;
        }
        timers.schedule(TOLD_AFTER, this::tell);
    }

    /** Attributes with what the queen-bee does not know yet. */
    Attributes shown(Attributes attributes) {
        if (!anyUntold) {
            return attributes;
        }
        Access access;
        synchronized (this) {
            access = untold.get(attributes.getInode());
        }
        return access == null || !access.getSeen().equals(attributes.getAtime())
                ? attributes
                : attributes.toBuilder().setAtime(access.getTime()).build();
    }

    /** Somebody sets the time himself. */
    synchronized void forget(long inode) {
        untold.remove(inode);
        anyUntold = !untold.isEmpty();
    }

    private void tell() {
        if (queen.isResting()) { // it would begin a new session just before the machine sleeps
            timers.schedule(TOLD_AFTER, this::tell);
            return;
        }
        List<Access> accesses;
        synchronized (this) {
            accesses = untold.values().stream().limit(ProtocolBounds.ACCESSES).toList();
            telling = !accesses.isEmpty();
        }
        if (!accesses.isEmpty()) {
            queen.recordAccesses(accesses).whenComplete((done, failure) -> told(accesses));
        }
    }

    private void told(List<Access> accesses) {
        boolean manyMore;
        synchronized (this) {
            accesses.forEach(this::forgetTold);
            anyUntold = !untold.isEmpty();
            telling = anyUntold;
            manyMore = untold.size() >= ProtocolBounds.ACCESSES;
            if (!telling) {
                return;
            }
        }
        if (manyMore) {
            tell();
        } else {
            timers.schedule(TOLD_AFTER, this::tell);
        }
    }

    /**
     * Forgets an access that was told. If the file was read again meanwhile, after another change, that newer access
     * has seen the time that was told.
     */
    private void forgetTold(Access told) {
        untold.computeIfPresent(
                told.getInode(),
                (inode, present) -> present.equals(told)
                        ? null
                        : present.toBuilder().setSeen(told.getTime()).build());
    }

    private static boolean isDue(Timestamp lastRead, Attributes known, Instant now) {
        Instant last = Timestamps.toInstant(lastRead);
        return !last.isAfter(Timestamps.toInstant(known.getMtime()))
                || !last.isAfter(Timestamps.toInstant(known.getCtime()))
                || !last.isAfter(now.minus(DAY));
    }
}
