package org.beefs.honeycomb.store;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaId;
import org.jspecify.annotations.Nullable;

/**
 * Incoming files that earlier processes have left and nobody has gone on with. They stay, because a large file may take
 * longer to come than a desktop is ever awake, but only as long as nothing else needs their room. Thread-safe; nothing
 * waits for the disk with the monitor held.
 */
final class OldAttempts {
    /** Files that are kept. */
    private static final int MOST = 1024;

    /** What has less is not kept: it comes again in moments. Bytes that it takes. */
    private static final long LEAST = 1 << 20;

    /** What nothing was written to for so long, nobody may want here any more. */
    private static final Duration LIFETIME = Duration.ofDays(30);

    private record Old(ReplicaId id, long bytes, long writtenAt) {}

    private final Clock clock;
    private final Consumer<ReplicaId> discard;

    // Guarded by this.
    private final Map<ReplicaId, Old> kept = new HashMap<>();
    private long bytes;

    /** @param discard removes a file that nobody has begun to go on with; does not fail */
    OldAttempts(Clock clock, Consumer<ReplicaId> discard) {
        this.clock = clock;
        this.discard = discard;
    }

    /**
     * Keeps a file, unless it is small, old, or there are too many.
     *
     * @param allocated bytes that it takes
     * @return whether it is kept
     */
    synchronized boolean add(ReplicaId id, long allocated, Timestamp mtime) {
        Old found = new Old(id, allocated, mtime.getSeconds());
        if (allocated < LEAST || kept.size() >= MOST || isAged(found)) {
            return false;
        }
        kept.put(id, found);
        bytes += allocated;
        return true;
    }

    /** Keeps it no more; the answer is the bytes that it takes, 0 if it was not kept. */
    synchronized long remove(ReplicaId id) {
        Old removed = kept.remove(id);
        if (removed == null) {
            return 0;
        }
        bytes -= removed.bytes();
        return removed.bytes();
    }

    /** Bytes that all of them take. */
    synchronized long bytes() {
        return bytes;
    }

    /**
     * Discards so many that the others take no more than that: the smallest one that is enough, or else the largest and
     * then others.
     */
    void shrinkTo(long most) {
        for (ReplicaId next = surplus(most); next != null; next = surplus(most)) {
            discard(next);
        }
    }

    private synchronized @Nullable ReplicaId surplus(long most) {
        if (bytes <= most) {
            return null;
        }
        Comparator<Old> bySize = Comparator.comparingLong(Old::bytes);
        return kept.values().stream()
                .filter(old -> bytes - old.bytes() <= most)
                .min(bySize)
                .or(() -> kept.values().stream().max(bySize))
                .map(Old::id)
                .orElse(null);
    }

    void discardAged() {
        aged().forEach(this::discard);
    }

    private synchronized List<ReplicaId> aged() {
        return kept.values().stream().filter(this::isAged).map(Old::id).toList();
    }

    private boolean isAged(Old old) {
        return clock.now().getEpochSecond() - old.writtenAt() > LIFETIME.toSeconds();
    }

    /** It counts until it is gone: otherwise it would be neither here nor free. */
    private void discard(ReplicaId id) {
        discard.accept(id);
        remove(id);
    }
}
