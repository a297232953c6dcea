package org.beefs.cli.daemon;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Optional;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.Timers;

/**
 * Gives memory back to the desktop's user when the daemon has become quiet. The serial collector lets what has survived
 * young collections grow up to the heap's bound before it looks which of it is still used: after a busy minute a daemon
 * would hold hundreds of megabytes for good. A collection stops the daemon for some 50 ms, so it is made when nobody
 * asks for much. Belongs to the timers' thread.
 */
final class IdleHeap {
    /** Quiet is who does not fill the young generation, 10 MiB, within that. */
    static final Duration LOOK = Duration.ofSeconds(10);

    /** What may have become superfluous before it is worth a collection, in bytes. */
    static final long WORTH_IT = 24 << 20;

    /** The JVM's heap. */
    interface Heap {
        /** Collections of any kind since the start. */
        long collections();

        /** Bytes that have survived young collections since all was looked at last. */
        long grown();

        /** Frees all that is not used any more. */
        void collect();
    }

    private final Timers timers;
    private final Heap heap;
    private long seen = -1;

    private IdleHeap(Timers timers, Heap heap) {
        this.timers = timers;
        this.heap = heap;
    }

    /** Looks after the heap as long as the timers run. */
    static void watch(Timers timers, Heap heap) {
        new IdleHeap(timers, heap).lookLater();
    }

    private void lookLater() {
        timers.schedule(LOOK, this::look);
    }

    private void look() {
        boolean quiet = heap.collections() == seen;
        if (quiet && heap.grown() >= WORTH_IT) {
            heap.collect();
        }
        seen = heap.collections();
        lookLater();
    }

    /** That of this process. */
    @ProductionOnly
    static final class OfJvm implements Heap {
        @Override
        public long collections() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                    .sum();
        }

        @Override
        public long grown() {
            return oldGeneration().map(OfJvm::grown).orElse(0L);
        }

        private static long grown(MemoryPoolMXBean old) {
            MemoryUsage atLastCollection = old.getCollectionUsage();
            return old.getUsage().getUsed() - (atLastCollection == null ? 0 : atLastCollection.getUsed());
        }

        /** Of the parts of the heap only this one can be given a threshold. */
        private static Optional<MemoryPoolMXBean> oldGeneration() {
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
                    .findFirst();
        }

        @Override
        public void collect() {
            System.gc();
        }
    }
}
