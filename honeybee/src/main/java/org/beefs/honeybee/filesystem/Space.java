package org.beefs.honeybee.filesystem;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.honeybee.Futures;
import org.beefs.honeybee.queen.QueenProxy;

/**
 * The hive's space, or what was last known of it when the queen-bee does not answer at once: umount and df never hang.
 * Thread-safe.
 */
final class Space {
    private final QueenProxy queen;
    private final Timers timers;
    private final Duration patience;
    private volatile FileSystemSpace last = FileSystemSpace.getDefaultInstance();

    Space(QueenProxy queen, Timers timers, Duration patience) {
        this.queen = queen;
        this.timers = timers;
        this.patience = patience;
    }

    CompletableFuture<FileSystemSpace> get() {
        if (!queen.isConnected()) {
            return CompletableFuture.completedFuture(last);
        }
        return Futures.within(timers, patience, queen.space()).thenApply(present -> {
            last = present.orElse(last);
            return last;
        });
    }
}
