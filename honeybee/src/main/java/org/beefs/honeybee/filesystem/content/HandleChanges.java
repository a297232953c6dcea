package org.beefs.honeybee.filesystem.content;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.beefs.common.replica.Observations;
import org.beefs.common.wire.ReplicaStatus;
import org.jspecify.annotations.Nullable;

/**
 * What is being changed through one open file, and what its replica was like after the last change: the release tells
 * the queen-bee. Thread-safe.
 */
final class HandleChanges {
    private final LongSupplier restarts;

    // Guarded by this.
    private int underWay;
    private boolean doubtful;
    private @Nullable ReplicaStatus latest;
    private @Nullable CompletableFuture<Void> quiet;

    /** What {@link #restarts} said when the replica was seen last. */
    private long seenAfter;

    /** @param restarts how often the honeycomb was found to run anew */
    HandleChanges(LongSupplier restarts) {
        this.restarts = restarts;
    }

    synchronized void begin() {
        underWay++;
    }

    /** A change is over. Without a status it is not known what it left behind. */
    void end(@Nullable ReplicaStatus status) {
        synchronized (this) {
            if (status == null) {
                doubtful = true;
            } else {
                observe(status);
            }
        }
        end();
    }

    /** A change is over, and has left the content as it was. */
    void end() {
        CompletableFuture<Void> nowQuiet = null;
        synchronized (this) {
            underWay--;
            if (underWay == 0) {
                nowQuiet = quiet;
                quiet = null;
            }
        }
        if (nowQuiet != null) {
            nowQuiet.complete(null);
        }
    }

    /** The replica was seen like this; older observations that come late do not count. */
    synchronized void observe(ReplicaStatus status) {
        if (latest == null || Observations.isLater(status, latest)) {
            latest = status;
            seenAfter = restarts.getAsLong();
        }
    }

    /** Done when no change is under way: also those that nobody waits for any more must end before a release. */
    synchronized CompletableFuture<Void> quiet() {
        if (underWay == 0) {
            return CompletableFuture.completedFuture(null);
        }
        quiet = quiet == null ? new CompletableFuture<>() : quiet;
        return quiet;
    }

    /** The replica after the last change through this handle, if that is certain. */
    synchronized Optional<ReplicaStatus> lastStatus() {
        return doubtful || isOutdated() ? Optional.empty() : Optional.ofNullable(latest);
    }

    /** Whether what the replica was seen like may have gone, because the honeycomb runs anew since. */
    synchronized boolean isOutdated() {
        return latest != null && seenAfter != restarts.getAsLong();
    }
}
