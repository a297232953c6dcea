package org.beefs.honeybee.filesystem.prefetch;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.concurrent.Futures;
import org.beefs.common.wire.ListDirectory;
import org.beefs.honeybee.queen.Metadata;

/**
 * Listings that no program has asked for yet, one of each directory at a time; they are asked for so that what comes is
 * cached. The queen-bee refuses what she would have to ask somebody for first, so nobody loses anything by them.
 * Thread-safe.
 */
final class ListingsAhead {
    private final Metadata metadata;
    private final int most;
    private final Map<Long, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

    /** @param most that are under way at a time, up to the few that are begun at once */
    ListingsAhead(Metadata metadata, int most) {
        this.metadata = metadata;
        this.most = most;
    }

    boolean isFull() {
        return underWay.size() >= most;
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
            Futures.attempt(() -> metadata.list(next)).whenComplete((page, failure) -> {
                underWay.remove(directory, over);
                over.complete(null);
            });
        }
    }
}
