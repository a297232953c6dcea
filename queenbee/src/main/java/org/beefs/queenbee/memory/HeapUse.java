package org.beefs.queenbee.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;
import org.beefs.common.time.ProductionOnly;

/** This process's heap, as its collector knows it. */
@ProductionOnly
public final class HeapUse {
    private HeapUse() {}

    public static MemoryRoom room() {
        MemoryPoolMXBean old = oldGeneration();
        return new MemoryRoom(Runtime.getRuntime().maxMemory(), () -> percentUsed(old));
    }

    /** The largest one of the heap: others are emptied all the time. */
    private static MemoryPoolMXBean oldGeneration() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()))
                .orElseThrow();
    }

    /** The part in use after the last collection of all of it; at any other moment garbage is in use, too. */
    private static int percentUsed(MemoryPoolMXBean old) {
        return (int)
                (old.getCollectionUsage().getUsed() * 100 / Runtime.getRuntime().maxMemory());
    }
}
