package org.beefs.honeybee.fuse.notification;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.fuse.protocol.Notification;

/**
 * Makes the kernel drop pages, in threads of its own: for a page that is being read it waits until the READ is
 * answered, by threads that must not wait for this. Whoever asks waits for a bounded time. Should a read take longer,
 * its pages go later; until then readers of the file find by its mtime that they are outdated. A file occupies one
 * thread at most, so that the others' pages mostly need not wait for its reads. Thread-safe; holds at most one request
 * for each file that is open, beside that which is being carried out.
 *
 * <p>Reads that are pending are waited for before the kernel is told. A thread that waits in the kernel for a page
 * cannot be killed: when this process were, it would wait for ever for the answer that nobody is left to give, hold the
 * device, and keep umount(8) and each sync(1) of the machine waiting. A file that is read all the time is waited for a
 * few times only.
 */
public final class PageDropper implements AutoCloseable {
    /** How long is waited for pages to go: less than the queen-bee waits for the answer to a recall. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * Threads that drop pages: as many files whose reads are not answered keep other files' pages from being dropped.
     */
    private static final int THREADS = 4;

    /**
     * How often reads are waited for that began meanwhile. A kernel asks once more for what it could not read ahead.
     */
    private static final int MOST_WAITS = 3;

    private static final long IDLE_SECONDS = 10;

    private final NotificationWriter writer;
    private final PendingReads reads;
    private final Timers timers;
    private final ThreadPoolExecutor threads;

    // Guarded by this.
    private final Map<Long, CompletableFuture<Void>> waiting = new HashMap<>();
    private final Set<Long> underWay = new HashSet<>();

    public PageDropper(NotificationWriter writer, PendingReads reads, Timers timers) {
        this.writer = writer;
        this.reads = reads;
        this.timers = timers;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> Thread.ofPlatform().name("fuse-pages").daemon().unstarted(work));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Done when the pages are gone, or the patience is over. Fails when this machine gives no thread for it. */
    public CompletableFuture<Void> drop(long inode) {
        CompletableFuture<Void> dropped = begin(inode).copy();
        Timers.Timer timer = timers.schedule(PATIENCE, () -> dropped.complete(null));
        dropped.whenComplete((done, failure) -> timer.cancel());
        return dropped;
    }

    /** Nothing is dropped any more: the mount has gone, and its pages with it. */
    @Override
    public void close() {
        threads.shutdown();
    }

    private synchronized CompletableFuture<Void> begin(long inode) {
        CompletableFuture<Void> asked = waiting.get(inode);
        if (asked != null) {
            return asked;
        }
        CompletableFuture<Void> dropped = new CompletableFuture<>();
        waiting.put(inode, dropped);
        if (!underWay.contains(inode)) {
            executeAfterReads(inode, dropped, MOST_WAITS);
        }
        return dropped;
    }

    private void executeAfterReads(long inode, CompletableFuture<Void> dropped, int waits) {
        CompletableFuture<Void> ended = reads.end(inode);
        if (waits == 0 || ended.isDone()) {
            execute(inode, dropped);
        } else {
            ended.thenRun(() -> executeAfterReads(inode, dropped, waits - 1));
        }
    }

    /** Where no thread can be had the next drop of the file tries again. */
    private synchronized void execute(long inode, CompletableFuture<Void> dropped) {
        try {
            threads.execute(() -> run(inode, dropped));
        } catch (RejectedExecutionException closed) {
            waiting.remove(inode);
            dropped.complete(null);
        } catch (OutOfMemoryError noThread) {
            waiting.remove(inode);
            dropped.completeExceptionally(noThread);
        }
    }

    private void run(long inode, CompletableFuture<Void> dropped) {
        synchronized (this) {
            waiting.remove(inode);
            underWay.add(inode);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(Notification.INVAL_INODE, 8);
            writer.writePatiently(message, Notification.invalidatePages(message, inode));
        } finally {
            ended(inode);
        }
        dropped.complete(null);
    }

    /** A drop has ended. When somebody has asked for the same file's pages meanwhile, that drop comes next. */
    private synchronized void ended(long inode) {
        underWay.remove(inode);
        CompletableFuture<Void> next = waiting.get(inode);
        if (next != null) {
            executeAfterReads(inode, next, MOST_WAITS);
        }
    }
}
