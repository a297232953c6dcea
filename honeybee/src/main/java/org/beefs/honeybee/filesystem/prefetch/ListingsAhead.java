package org.beefs.honeybee.filesystem.prefetch;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.ListDirectory;
import org.beefs.honeybee.queen.Metadata;

/**
 * Listings that no program has asked for yet, one of each directory at a time; they are asked for so that what comes is
 * cached. The queen-bee refuses what she would have to ask somebody for first, so nobody loses anything by them.
 *
 * <p>Few are under way at first, one more whenever one has come soon, and half when one has taken long: over a slow
 * network whatever else is asked waits behind them, and too many would take longer than a heartbeat may. Thread-safe.
 */
final class ListingsAhead {
    /** Listings under way at first: as many as a walk begins with. At 250 kbit/s large ones take eight seconds. */
    private static final int FEW = 4;

    private static final Duration SOON = Duration.ofSeconds(1);

    /** Much more than is soon, so that what one more has delayed is not halved at once. */
    private static final Duration LONG = Duration.ofSeconds(3);

    private final Metadata metadata;
    private final Clock clock;
    private final int most;
    private final Map<Long, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

    /** Guarded by this. */
    private int allowed = FEW;

    /** @param most that are under way at a time, up to the few that are begun at once */
    ListingsAhead(Metadata metadata, Clock clock, int most) {
        this.metadata = metadata;
        this.clock = clock;
        this.most = most;
    }

    /** How many more may be asked for now. */
    synchronized int room() {
        return Math.max(0, allowed - underWay.size());
    }

    boolean isFull() {
        return room() == 0;
    }

    private synchronized void ended(long nanos, boolean came) {
        if (nanos > LONG.toNanos()) {
            allowed = Math.max(1, allowed / 2);
        } else if (came && nanos < SOON.toNanos()) {
            allowed = Math.min(most, allowed + 1);
        }
    }

    boolean isUnderWay(long directory) {
        return underWay.containsKey(directory);
    }

    /**
     * Done when what is under way of a directory is there, or is not to be had: whoever waits then asks himself, with
     * all of his own patience.
     */
    CompletableFuture<Void> arrived(long directory) {
        return underWay.getOrDefault(directory, CompletableFuture.completedFuture(null));
    }

    /** Asks, unless that is under way of its directory or too much else is. */
    void ask(ListDirectory.Builder list) {
        long directory = list.getInode();
        ListDirectory next = list.setAhead(true).build();
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (!isFull() && underWay.putIfAbsent(directory, over) == null) {
            long begun = clock.bootNanos();
            Futures.attempt(() -> metadata.list(next)).whenComplete((page, failure) -> {
                underWay.remove(directory, over);
                ended(clock.bootNanos() - begun, failure == null);
                over.complete(null);
            });
        }
    }
}
