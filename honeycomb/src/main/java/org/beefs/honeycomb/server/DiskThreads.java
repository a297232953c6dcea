package org.beefs.honeycomb.server;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.time.ProductionOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that wait for the disk, so that those which serve network and kernel need not: some for reading and
 * writing, which the page cache mostly answers at once, and others for syncs and the queen-bee's work, which take as
 * long as the disk does. Work beyond the queues' bounds is rejected, and so is work for which no thread can be made.
 */
@ProductionOnly
public final class DiskThreads implements AutoCloseable {
    /** Requests that may wait: 16 connections' worth. */
    public static final int QUEUE = 16_384;

    /** Syncs and requests of the queen-bee that may wait. */
    public static final int SYNC_QUEUE = 4096;

    private static final int STOP_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(DiskThreads.class);

    private final DiskPool io;
    private final DiskPool syncs;
    private final DiskPool fencing;

    /**
     * Makes so many threads of either kind. They end when they have had nothing to do for a while; but the one that
     * fences stays, because a machine on which no thread can be made is no reason to let programs write.
     */
    public DiskThreads(int threads) {
        this(threads, DiskThreads::factory);
    }

    /** @param factories make threads of a name */
    DiskThreads(int threads, Function<String, ThreadFactory> factories) {
        io = new DiskPool(threads, QUEUE, factories.apply("honeycomb-io"));
        syncs = new DiskPool(threads, SYNC_QUEUE, factories.apply("honeycomb-sync"));
        fencing = new DiskPool(1, SYNC_QUEUE, factories.apply("honeycomb-fence"));
        fencing.allowCoreThreadTimeOut(false);
        fencing.prestartAllCoreThreads();
    }

    /** The threads for reading and writing. */
    public Executor io() {
        return io;
    }

    /** The threads for work that waits until the disk has written. */
    public Executor syncs() {
        return syncs;
    }

    /** The thread that closes files to their writers, which must not wait for other work. */
    public Executor fencing() {
        return fencing;
    }

    /** Requests that wait for a thread, by the kind of thread. */
    public Map<String, Integer> waiting() {
        return Map.of(
                "io", io.getQueue().size(),
                "sync", syncs.getQueue().size(),
                "fence", fencing.getQueue().size());
    }

    /** Shows the ids of the requests that wait for the disk or for a thread. */
    public void forEachRequest(LongConsumer visitor) {
        io.forEachRequest(visitor);
        syncs.forEachRequest(visitor);
        fencing.forEachRequest(visitor);
    }

    /** Waits a while for what was begun. */
    @Override
    public void close() {
        io.shutdown();
        syncs.shutdown();
        fencing.shutdown();
        try {
            if (!io.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)
                    || !syncs.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the disk does not answer; its threads are left behind");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory factory(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> Thread.ofPlatform()
                .name(name + "-" + number.incrementAndGet())
                .daemon()
                .unstarted(work);
    }

    /** Knows for which request each task works. */
    private static final class DiskPool extends ThreadPoolExecutor {
        private final Set<Task> running = ConcurrentHashMap.newKeySet();

        DiskPool(int threads, int queue, ThreadFactory factory) {
            super(threads, threads, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), factory);
            allowCoreThreadTimeOut(true);
        }

        /** Also rejects work for which no thread can be made, as if the queue were full. */
        @Override
        public void execute(Runnable work) {
            Task task = new Task(CurrentRequest.id(), work, running);
            try {
                super.execute(task);
            } catch (OutOfMemoryError noThread) {
                remove(task);
                throw new RejectedExecutionException("no thread can be made that waits for the disk", noThread);
            }
        }

        void forEachRequest(LongConsumer visitor) {
            getQueue().forEach(waiting -> visitor.accept(((Task) waiting).request));
            running.forEach(task -> visitor.accept(task.request));
        }
    }

    private static final class Task implements Runnable {
        private final long request;
        private final Runnable work;
        private final Set<Task> running;

        Task(long request, Runnable work, Set<Task> running) {
            this.request = request;
            this.work = work;
            this.running = running;
        }

        @Override
        public void run() {
            running.add(this);
            try {
                CurrentRequest.run(request, work);
            } finally {
                running.remove(this);
            }
        }
    }
}
