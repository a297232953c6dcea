package org.beefs.honeybee.fuse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.Timers;

/**
 * Makes the kernel drop pages, in a thread of its own: for a page that is being read it waits until the READ is answered, by
 * threads that must not wait for this. Whoever asks waits for a bounded time. Should a read take longer, its pages go
 * later; until then readers of the file find by its mtime that they are outdated. Thread-safe; holds at most one request
 * for each file that is open.
 */
final class PageDropper implements AutoCloseable {
    /** Less than the queen-bee waits for the answer to a recall. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final long IDLE_SECONDS = 10;

    private final NotificationWriter writer;
    private final Timers timers;
    private final ThreadPoolExecutor thread;

    /** Not begun yet; guarded by this. */
    private final Map<Long, CompletableFuture<Void>> waiting = new HashMap<>();

    PageDropper(NotificationWriter writer, Timers timers) {
        this.writer = writer;
        this.timers = timers;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> Thread.ofPlatform().name("fuse-pages").daemon().unstarted(work));
        thread.allowCoreThreadTimeOut(true);
    }

    /** Done when the pages are gone, or the patience is over. */
    CompletableFuture<Void> drop(long inode) {
        CompletableFuture<Void> dropped = begin(inode).copy();
        Timers.Timer timer = timers.schedule(PATIENCE, () -> dropped.complete(null));
        dropped.whenComplete((done, failure) -> timer.cancel());
        return dropped;
    }

    /** Nothing is dropped any more: the mount has gone, and its pages with it. */
    @Override
    public void close() {
        thread.shutdown();
    }

    private synchronized CompletableFuture<Void> begin(long inode) {
        return waiting.computeIfAbsent(inode, unasked -> {
            CompletableFuture<Void> dropped = new CompletableFuture<>();
            try {
                thread.execute(() -> run(inode, dropped));
            } catch (RejectedExecutionException closed) {
                dropped.complete(null);
            }
            return dropped;
        });
    }

    private void run(long inode, CompletableFuture<Void> dropped) {
        synchronized (this) {
            waiting.remove(inode);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(Notification.INVAL_INODE, 8);
            writer.writePatiently(message, Notification.invalidatePages(message, inode));
        }
        dropped.complete(null);
    }
}
