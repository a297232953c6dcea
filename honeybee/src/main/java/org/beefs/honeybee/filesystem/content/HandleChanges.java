package org.beefs.honeybee.filesystem.content;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.ReplicaStatus;
import org.jspecify.annotations.Nullable;

/**
 * What is being changed through one open file, and what its replica was like after the last change: the release tells
 * the queen-bee. Thread-safe.
 */
final class HandleChanges {
    // Guarded by this.
    private int underWay;
    private boolean doubtful;
    private @Nullable ReplicaStatus latest;
    private @Nullable CompletableFuture<Void> quiet;

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
        if (latest == null || status.getObservation() > latest.getObservation()) {
            latest = status;
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
        return doubtful ? Optional.empty() : Optional.ofNullable(latest);
    }
}
