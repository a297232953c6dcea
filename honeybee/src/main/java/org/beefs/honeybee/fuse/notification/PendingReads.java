package org.beefs.honeybee.fuse.notification;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * READs that the kernel waits for: it holds the pages locked that they are to fill. Thread-safe; holds one future for
 * each file that is being read.
 */
public final class PendingReads {
    private static final CompletableFuture<Void> NONE = CompletableFuture.completedFuture(null);

    /** For each file the end of all reads that have begun so far. Guarded by this. */
    private final Map<Long, CompletableFuture<Void>> ends = new HashMap<>();

    /** A read has begun; it is pending until it is done. */
    public void add(long inode, CompletableFuture<?> read) {
        if (read.isDone()) {
            return;
        }
        CompletableFuture<Void> end;
        synchronized (this) {
            end = CompletableFuture.allOf(end(inode), read).exceptionally(_ -> null);
            ends.put(inode, end);
        }
        end.thenRun(() -> forget(inode, end));
    }

    /** Done when those reads of the file have ended, in whatever way, that are pending now. */
    synchronized CompletableFuture<Void> end(long inode) {
        return ends.getOrDefault(inode, NONE);
    }

    private synchronized void forget(long inode, CompletableFuture<Void> end) {
        ends.remove(inode, end);
    }
}
