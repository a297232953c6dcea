package org.beefs.honeybee.cache;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.beefs.honeybee.filesystem.KernelCache;

/** A kernel that keeps a record of what it had to forget. */
public final class RecordingKernel implements KernelCache {
    /** What it was told: an inode's number, or 0 for all entries. */
    final List<Long> forgotten = new ArrayList<>();

    /** Inodes that it does not know. */
    final Set<Long> unknown = new HashSet<>();

    /** Files whose pages it had to drop, or 0 for all. */
    final List<Long> dropped = new ArrayList<>();

    /** When it has done so. */
    CompletableFuture<Void> dropping = CompletableFuture.completedFuture(null);

    boolean hasEpochs = true;

    /** Whether it fails when it is to forget something. */
    boolean isFailing;

    /** What it was told since this was asked last. */
    List<Long> takeForgotten() {
        List<Long> taken = List.copyOf(forgotten);
        forgotten.clear();
        return taken;
    }

    @Override
    public boolean canForgetEntries() {
        return hasEpochs;
    }

    @Override
    public void invalidateEntries() {
        failIfFailing();
        forgotten.add(0L);
    }

    @Override
    public boolean invalidateAttributes(long inode) {
        failIfFailing();
        forgotten.add(inode);
        return !unknown.contains(inode);
    }

    private void failIfFailing() {
        if (isFailing) {
            throw new InternalError("made to fail"); // after an OutOfMemoryError JUnit would not go on
        }
    }

    @Override
    public CompletableFuture<Void> invalidatePages(long inode) {
        dropped.add(inode);
        return dropping;
    }

    @Override
    public CompletableFuture<Void> invalidateAllPages() {
        dropped.add(0L);
        return dropping;
    }
}
