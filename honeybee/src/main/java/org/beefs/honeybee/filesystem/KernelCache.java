package org.beefs.honeybee.filesystem;

import java.util.concurrent.CompletableFuture;

/**
 * Somebody who keeps answers of a file system for a while: a kernel. Called on any thread, also on those that receive
 * from the network, so no method waits for an answer of the file system or for a lock that somebody holds who waits for
 * one.
 */
public interface KernelCache {
    /** Whether {@link #invalidateEntries} has any effect. Who cannot forget entries is never allowed to keep them. */
    boolean canForgetEntries();

    /** From now on no entry that was answered before is used without asking again. */
    void invalidateEntries();

    /**
     * From now on no attributes of the inode that were answered before, or are being answered, are used without asking
     * again.
     *
     * @return false when it does not know the inode, and so may yet get to know it by an answer that it has not looked
     *     at
     */
    boolean invalidateAttributes(long inode);

    /**
     * No content of the file that was read before is used any more when this is done, which takes a bounded time.
     * Attributes are invalidated before.
     */
    CompletableFuture<Void> invalidatePages(long inode);

    /** As {@link #invalidatePages} of all files. */
    CompletableFuture<Void> invalidateAllPages();
}
