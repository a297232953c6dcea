package org.beefs.honeybee.cache;

import org.jspecify.annotations.Nullable;

/**
 * One step in which the cache changes.
 *
 * @param now in nanoseconds of the boot clock
 * @param origin the view through which this desktop itself made the change, if it did
 * @param locks what the kernel of that view has locked for it
 * @param invalidation collects what kernels must be told because of it
 */
record Update(long now, @Nullable CacheView origin, KernelLocks locks, Invalidation invalidation) {
    static Update at(long now) {
        return new Update(now, null, KernelLocks.NONE, new Invalidation());
    }

    /** All of these views but the one whose kernel made the change itself. */
    long others(long views) {
        return origin == null ? views : views & ~origin.bit();
    }

    /** When a kernel was last told attributes in the answer to a change that it may still be taking over. */
    long unsettledSince(long inode, CachedNode node) {
        boolean settled =
                origin != null && others(node.changedToldTo()) == 0 && locks.settle(inode, node.changedToldAt());
        return settled ? Invalidation.NEVER : node.changedToldAt();
    }
}
