package org.beefs.honeybee.cache;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.filesystem.KernelCache;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that keep something of a desktop's cache. Each is a bit in sets of views. Thread-safe.
 *
 * <p>An answer that was sent to a kernel takes effect a little later, when the thread that waits for it runs. A kernel
 * that does not know an inode yet may just be making it out of such an answer; entries of a listing count as new when
 * they are linked; and the answer to a change of attributes counts whatever the kernel has been told since it asked,
 * unless the kernel itself has gone on to the next change of them ({@link KernelLocks}). So in these three cases the
 * kernel is told a second time, after {@link #SETTLING}, and only then is it certain to have forgotten. An inode that
 * an answer has just made known gets that answer's attributes less than a microsecond later, whatever the kernel was
 * told in between: it is told a second time too, but that is not waited for, as all that makes files would wait.
 */
final class Kernels {
    /** How long a kernel may take to take over an answer. */
    static final Duration SETTLING = Duration.ofMillis(20);

    /** Further mounts work without kernel caches. */
    static final int MOST = Long.SIZE;

    private final Clock clock;
    private final Timers timers;
    private final @Nullable KernelCache[] kernels = new @Nullable KernelCache[MOST];

    /**
     * What is to be told again, in the order in which it is due; a timer is set as long as there is any. At most what
     * comes in twice {@link #SETTLING}. Guarded by this.
     */
    private final Deque<Repeat> repeats = new ArrayDeque<>();

    /** @param due not before then */
    private record Repeat(Invalidation.Inode inode, long due) {}

    Kernels(Clock clock, Timers timers) {
        this.clock = clock;
        this.timers = timers;
    }

    /** Answers the bit that stands for it in sets of views; 0 when there are too many. */
    synchronized long add(KernelCache kernel) {
        for (int place = 0; place < MOST; place++) {
            if (kernels[place] == null) {
                kernels[place] = kernel;
                return 1L << place;
            }
        }
        return 0;
    }

    synchronized void remove(long bit) {
        if (bit != 0) {
            kernels[Long.numberOfTrailingZeros(bit)] = null;
        }
    }

    /** Done when no kernel uses any more what it must forget. */
    CompletableFuture<Void> send(Invalidation invalidation) {
        if (invalidation.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Invalidation again = deliver(invalidation);
        repeatLater(invalidation.repeated());
        CompletableFuture<Void> dropped = dropPages(invalidation);
        if (again.isEmpty()) {
            return dropped;
        }
        CompletableFuture<Void> settled = new CompletableFuture<>();
        timers.schedule(SETTLING, () -> {
            try {
                deliver(again);
            } finally { // somebody waits
                settled.complete(null);
            }
        });
        return CompletableFuture.allOf(settled, dropped);
    }

    /** Nobody waits for these, so that one timer does for all that come before it is over. */
    private void repeatLater(List<Invalidation.Inode> inodes) {
        if (inodes.isEmpty()) {
            return;
        }
        long due = clock.bootNanos() + SETTLING.toNanos();
        boolean isFirst;
        synchronized (this) {
            isFirst = repeats.isEmpty();
            inodes.forEach(inode -> repeats.add(new Repeat(inode, due)));
        }
        if (isFirst) {
            timers.schedule(SETTLING, this::repeatDue);
        }
    }

    private void repeatDue() {
        List<Invalidation.Inode> due = new ArrayList<>();
        boolean isMore;
        synchronized (this) {
            long now = clock.bootNanos();
            while (!repeats.isEmpty() && repeats.getFirst().due <= now) {
                due.add(repeats.removeFirst().inode);
            }
            isMore = !repeats.isEmpty();
        }
        try {
            due.forEach(this::invalidateAttributes);
        } finally { // else no timer would be set any more
            if (isMore) {
                timers.schedule(SETTLING, this::repeatDue);
            }
        }
    }

    /** Each kernel itself knows of which files it may have pages. */
    private CompletableFuture<Void> dropPages(Invalidation invalidation) {
        if (!invalidation.hasAllFiles() && invalidation.files().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<Void>> drops = new ArrayList<>();
        for (KernelCache kernel : all()) {
            if (invalidation.hasAllFiles()) {
                drops.add(kernel.invalidateAllPages());
            } else {
                for (long inode : invalidation.files()) {
                    drops.add(kernel.invalidatePages(inode));
                }
            }
        }
        return CompletableFuture.allOf(drops.toArray(CompletableFuture[]::new));
    }

    /** Answers what has to be said a second time. */
    private Invalidation deliver(Invalidation invalidation) {
        Invalidation again = new Invalidation();
        long recently = clock.bootNanos() - SETTLING.toNanos();
        for (Invalidation.Inode inode : invalidation.inodes()) {
            long unknown = invalidateAttributes(inode);
            if (inode.changedToldAt() >= recently) {
                again.addInode(inode.onlyFor(inode.views()));
            } else if (inode.toldAt() >= recently) {
                again.addInode(inode.onlyFor(unknown));
            }
        }
        for (long left = invalidation.entryViews(); left != 0; left &= left - 1) {
            KernelCache kernel = first(left);
            if (kernel != null) {
                kernel.invalidateEntries();
            }
        }
        again.addEntries(invalidation.listingViews(), false);
        return again;
    }

    /** Answers the views whose kernels do not know the inode. */
    private long invalidateAttributes(Invalidation.Inode inode) {
        long unknown = 0;
        for (long left = inode.views(); left != 0; left &= left - 1) {
            KernelCache kernel = first(left);
            if (kernel != null && !kernel.invalidateAttributes(inode.inode())) {
                unknown |= Long.lowestOneBit(left);
            }
        }
        return unknown;
    }

    private synchronized List<KernelCache> all() {
        List<KernelCache> present = new ArrayList<>();
        for (KernelCache kernel : kernels) {
            if (kernel != null) {
                present.add(kernel);
            }
        }
        return present;
    }

    /** The first one of a set. */
    private synchronized @Nullable KernelCache first(long bits) {
        return kernels[Long.numberOfTrailingZeros(bits)];
    }
}
