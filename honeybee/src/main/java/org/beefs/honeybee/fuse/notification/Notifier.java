package org.beefs.honeybee.fuse.notification;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.beefs.honeybee.filesystem.KernelCache;
import org.beefs.honeybee.fuse.protocol.HiveRoot;
import org.beefs.honeybee.fuse.protocol.Notification;

/**
 * Tells the kernel what it must not use any more. The messages about entries and attributes take effect while they are
 * written and wait for nobody but {@link NotificationWriter}'s: the epoch is a counter, and attributes are marked under
 * a lock of the inode that is never held while the kernel waits for this process. A message about a single entry would
 * wait for its directory's lock, so there is none; one about pages waits for reads, so it is left to
 * {@link PageDropper}. Thread-safe.
 */
public final class Notifier implements KernelCache {
    private final NotificationWriter writer;
    private final HiveRoot root;
    private final boolean canForgetEntries;
    private final KeptPages pages;

    // Guarded by this.
    private final MemorySegment message = Arena.ofAuto().allocate(Notification.INVAL_INODE, 8);
    private boolean closed;

    /**
     * For one mount.
     *
     * @param canForgetEntries whether the kernel can forget entries, and may
     */
    public Notifier(NotificationWriter writer, HiveRoot root, boolean canForgetEntries, KeptPages pages) {
        this.writer = writer;
        this.root = root;
        this.canForgetEntries = canForgetEntries;
        this.pages = pages;
    }

    @Override
    public boolean canForgetEntries() {
        return canForgetEntries;
    }

    @Override
    public synchronized void invalidateEntries() {
        if (canForgetEntries) {
            send(Notification.increaseEpoch(message));
        }
    }

    @Override
    public synchronized boolean invalidateAttributes(long inode) {
        return send(Notification.invalidateAttributes(message, root.node(inode)));
    }

    @Override
    public CompletableFuture<Void> invalidatePages(long inode) {
        return pages.invalidate(inode);
    }

    @Override
    public CompletableFuture<Void> invalidateAllPages() {
        return pages.invalidateAll();
    }

    /** No message is sent any more. */
    public synchronized void close() {
        closed = true;
    }

    /** Sends the message. False when it is about an inode that the kernel does not know, and when the mount is gone. */
    private boolean send(int length) {
        return !closed && writer.write(message, length);
    }
}
