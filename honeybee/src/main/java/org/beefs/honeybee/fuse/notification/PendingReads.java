package org.beefs.honeybee.fuse.notification;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * READs that the kernel waits for: it holds the pages locked that they are to fill. Thread-safe; holds as many as the
 * kernel has under way.
 */
public final class PendingReads {
    /** A read's end. Equal to itself only. */
    private static final class Read {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
    }

    // Guarded by this.
    private final Map<Long, Set<Read>> pending = new HashMap<>();

    /** A read has begun; it is pending until its content is there, or it has failed. */
    public void add(long inode, CompletableFuture<?> content) {
        if (content.isDone()) {
            return;
        }
        Read read = new Read();
        synchronized (this) {
            pending.computeIfAbsent(inode, none -> new HashSet<>()).add(read);
        }
        content.whenComplete((_, _) -> {
            remove(inode, read);
            read.ended.complete(null);
        });
    }

    /** Done when those reads of the file have ended that are pending now. */
    synchronized CompletableFuture<Void> end(long inode) {
        return CompletableFuture.allOf(pending.getOrDefault(inode, Set.of()).stream()
                .map(read -> read.ended)
                .toArray(CompletableFuture[]::new));
    }

    private synchronized void remove(long inode, Read read) {
        Set<Read> reads = pending.get(inode);
        if (reads != null && reads.remove(read) && reads.isEmpty()) {
            pending.remove(inode);
        }
    }
}
