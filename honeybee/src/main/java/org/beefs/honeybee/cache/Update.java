package org.beefs.honeybee.cache;

/**
 * One step in which the cache changes.
 *
 * @param now in nanoseconds of the boot clock
 * @param origin the view, as a bit, through which this desktop itself made the change; 0 when it did not
 * @param locks what the kernel of that view has locked for it
 * @param invalidation collects what kernels must be told because of it
 */
record Update(long now, long origin, KernelLocks locks, Invalidation invalidation) {
    static Update at(long now) {
        return new Update(now, 0, KernelLocks.NONE, new Invalidation());
    }

    /** All of these views but the one whose kernel made the change itself. */
    long others(long views) {
        return views & ~origin;
    }

    /** When a kernel was last told attributes in the answer to a change that it may still be taking over. */
    long unsettledSince(long inode, CachedNode node) {
        boolean settled = others(node.changedToldTo()) == 0 && locks.settle(inode, node.changedToldAt());
        return settled ? Invalidation.NEVER : node.changedToldAt();
    }
}
