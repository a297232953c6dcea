package org.beefs.honeybee.fuse.notification;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.beefs.common.concurrent.Futures;

/**
 * The files of which the kernel has pages that were read under a lease which still holds. They outlive opens: the next
 * open goes on with them. Pages that are not counted here the kernel drops at the next open; until then descriptors
 * from before that use them look at mtime and size first. Thread-safe.
 */
public final class KeptPages {
    /** Files that count at a time; what was opened longest ago is read again at its next open. */
    static final int MOST = 16_384;

    /** How an open goes about pages. */
    public enum Use {
        /** Without pages: reads go to the driver. */
        NONE,
        /** With new pages only. */
        FRESH,
        /** Also with the pages that the kernel has. */
        KEPT
    }

    private final LongFunction<CompletableFuture<Void>> drop;

    // Guarded by this.
    private final Set<Long> leased = new LinkedHashSet<>();
    private final Map<Long, Set<Long>> handles = new HashMap<>();

    /** Files that do not count any more, and are open: what is mapped of them is dropped when the lease ends. */
    private final Set<Long> openStill = new HashSet<>();

    /** Open files whose lease has ended and whose pages could not be dropped. */
    private final Set<Long> undropped = new HashSet<>();

    /** Drops that are under way. */
    private final Map<Long, CompletableFuture<Void>> dropping = new HashMap<>();

    /** @param drop makes the kernel drop a file's pages; done when they are gone, after a bounded time */
    public KeptPages(LongFunction<CompletableFuture<Void>> drop) {
        this.drop = drop;
    }

    /**
     * A handle is opened.
     *
     * @param lease whether the lease holds now; when it ends {@link #invalidate} is called after that
     */
    public synchronized Use open(long inode, long handle, BooleanSupplier lease) {
        if (!lease.getAsBoolean()) {
            return Use.NONE;
        }
        boolean kept = leased.remove(inode);
        openStill.remove(inode);
        undropped.remove(inode);
        leased.add(inode);
        handles.computeIfAbsent(inode, unopened -> new HashSet<>()).add(handle);
        forgetEldest();
        return kept ? Use.KEPT : Use.FRESH;
    }

    /** A handle, opened in whatever way, is released. */
    public synchronized void release(long inode, long handle) {
        Set<Long> open = handles.get(inode);
        if (open != null && open.remove(handle) && open.isEmpty()) {
            handles.remove(inode);
            openStill.remove(inode);
            undropped.remove(inode);
        }
    }

    /**
     * The lease has ended. Done when the pages are gone, however often that is asked for; those that nobody can look at
     * before the next open are left to that.
     */
    public CompletableFuture<Void> invalidate(long inode) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        synchronized (this) {
            boolean hasPages = leased.remove(inode) || openStill.remove(inode) || undropped.remove(inode);
            if (!hasPages || !handles.containsKey(inode)) {
                return dropping.getOrDefault(inode, CompletableFuture.completedFuture(null));
            }
            dropping.put(inode, gone);
        }
        Futures.attempt(() -> drop.apply(inode)).whenComplete((_, failure) -> ended(inode, gone, failure == null));
        return gone;
    }

    /**
     * The kernel is about to be answered a change of attributes. It takes mtime and size over without looking at its
     * pages, so that what descriptors have read without a lease would pass for current. Done when that is gone.
     */
    public CompletableFuture<Void> beforeChange(long inode) {
        synchronized (this) {
            if (leased.contains(inode) || openStill.contains(inode) || !handles.containsKey(inode)) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return Futures.attempt(() -> drop.apply(inode));
    }

    /** What could not be dropped is left to the next time; nobody waits for that. */
    private void ended(long inode, CompletableFuture<Void> gone, boolean done) {
        synchronized (this) {
            dropping.remove(inode, gone);
            if (!done && handles.containsKey(inode) && !leased.contains(inode)) {
                undropped.add(inode);
            }
        }
        gone.complete(null);
    }

    /** All leases have ended. */
    public CompletableFuture<Void> invalidateAll() {
        Set<Long> all;
        synchronized (this) {
            all = new HashSet<>(leased);
            all.addAll(openStill);
            all.addAll(undropped);
            all.addAll(dropping.keySet());
        }
        return CompletableFuture.allOf(all.stream().map(this::invalidate).toArray(CompletableFuture[]::new));
    }

    private void forgetEldest() {
        if (leased.size() > MOST) {
            Iterator<Long> eldest = leased.iterator();
            Long inode = eldest.next();
            eldest.remove();
            if (handles.containsKey(inode)) {
                openStill.add(inode);
            }
        }
    }
}
